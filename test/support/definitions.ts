import { randomBytes } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';
import { orgResource } from '#records/users/org';

const epoch = new Date('2026-01-01T00:00:00.000Z');

/** Stores an active program in UTC with a unique code. */
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

/** Stores a purse policy of a program. By default it has no escrow, expiry or overdraft. */
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

/** Stores a tier policy named Status, with the levels Bronze, Silver and Gold by the spend of a year. */
export async function makeTierPolicy(
  db: Connection,
  author: Author,
  program: Program,
  fields: Partial<TierPolicy> = {},
): Promise<TierPolicy> {
  const policy: TierPolicy = {
    ...newStamps(author, epoch),
    name: 'Status',
    program: program._id,
    levels: [
      { name: 'Bronze', number: 1, threshold: 100 },
      { name: 'Silver', number: 2, threshold: 300 },
      { name: 'Gold', number: 3, threshold: 1000 },
    ],
    basis: { metric: 'spend', period: 'year' },
    downgrade: 'full',
    ...fields,
  };
  await collectionOf(db, tierPolicyResource).insertOne(policy);
  await countDefinitionChange(db, author.org);
  return policy;
}

/** Returns the version of an org's definitions; each change of a definition increases it. */
export async function definitionsVersionOf(db: Connection, org: ObjectId): Promise<number> {
  return (await collectionOf(db, orgResource).findOne({ _id: org }))?.definitionsVersion ?? 0;
}
