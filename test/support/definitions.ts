import { randomBytes } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { orgResource } from '../../src/db/org';
import { type Author, newStamps } from '../../src/db/records';
import { collectionOf } from '../../src/db/resource';
import { countDefinitionChange } from '../../src/db/writeRecord';
import { type Program, programResource } from '../../src/programs/program';
import { type PursePolicy, pursePolicyResource } from '../../src/programs/pursePolicy';

const epoch = new Date('2026-01-01T00:00:00.000Z');

/** Stores an active program in UTC with a code of its own. */
export async function makeProgram(db: Connection, author: Author, fields: Partial<Program> = {}): Promise<Program> {
  const program: Program = {
    ...newStamps(author, epoch),
    code: `program-${randomBytes(4).toString('hex')}`,
    name: 'Program',
    status: 'Active',
    timezone: 'UTC',
    ...fields,
  };
  await collectionOf(db, programResource).insertOne(program);
  await countDefinitionChange(db, author.org);
  return program;
}

/** Stores a purse policy of a program: without escrow, expiry or overdraft unless told otherwise. */
export async function makePolicy(
  db: Connection,
  author: Author,
  program: Program,
  fields: Partial<PursePolicy> = {},
): Promise<PursePolicy> {
  const policy: PursePolicy = {
    ...newStamps(author, epoch),
    name: 'Points',
    program: program._id,
    primary: false,
    overdraftLimit: 0,
    clawback: 'full',
    ...fields,
  };
  await collectionOf(db, pursePolicyResource).insertOne(policy);
  await countDefinitionChange(db, author.org);
  return policy;
}

/** How often definitions of an org were changed. */
export async function definitionsVersionOf(db: Connection, org: ObjectId): Promise<number> {
  return (await collectionOf(db, orgResource).findOne({ _id: org }))?.definitionsVersion ?? 0;
}
