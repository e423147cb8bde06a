import assert from 'node:assert';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { type Author, derivedId, newStamps } from '#base/db/records';
import { inTransaction, isDuplicateKey, isTransient } from '#base/db/transaction';
import { createMember } from '#members/members/createMember';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { enumResource } from '#records/catalog/enumValue';
import { locationResource } from '#records/catalog/location';
import { partnerResource } from '#records/catalog/partner';
import { productResource } from '#records/catalog/product';
import { accountResource } from '#records/members/account';
import { type Member, memberResource } from '#records/members/member';
import { offerResource } from '#records/offers/offer';
import { rewardResource } from '#records/offers/reward';
import { type Program, programResource } from '#records/programs/program';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { tierPolicyResource } from '#records/programs/tierPolicy';
import type { Org } from '#records/users/org';
import {
  demoEnums,
  demoHousehold,
  demoLocations,
  demoMembers,
  demoOffers,
  demoPartners,
  demoPolicies,
  demoProducts,
  demoProgram,
  demoRewards,
  demoTierPolicies,
} from './definitions';

/** Marks the program while the demo is being filled, so that the next start completes a fill that was interrupted. */
const filling = { demo: 'filling' };

/**
 * Fills an org that has no program with the demo: its program, policies, enums, catalog, offers, members and an
 * account. It changes no org that has a program of its own. It may run twice, and in two processes at once.
 * @returns true when this call filled or completed the demo
 */
export async function fillDemo(
  services: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  org: Org,
): Promise<boolean> {
  const { db, clock } = services;
  const author = { org: org._id, userId: org.systemUser };
  const now = clock.now();
  if (!(await hasProgram(db, org._id))) await insertDefinitions(db, author, now);
  const program = await collectionOf(db, programResource).findOne({ org: org._id, 'ext.demo': filling.demo });
  if (!program) return false;
  for (const member of demoMembers) {
    await ensureMember(services, author, { ...member, program: program._id }, now);
  }
  await ensureAccount(db, author, program, now);
  await collectionOf(db, programResource).updateOne({ _id: program._id, org: program.org }, { $unset: { ext: '' } });
  return true;
}

async function hasProgram(db: Connection, org: ObjectId): Promise<boolean> {
  return (await collectionOf(db, programResource).findOne({ org }, { projection: { _id: 1 } })) !== null;
}

async function insertDefinitions(db: Connection, author: Author, now: Date): Promise<void> {
  const program: Program = { ...newStamps(author, now), ...demoProgram, ext: filling };
  const policies = demoPolicies.map((policy) => ({ ...newStamps(author, now), ...policy, program: program._id }));
  const tierPolicies = demoTierPolicies.map((policy) => ({
    ...newStamps(author, now),
    ...policy,
    program: program._id,
  }));
  const enums = demoEnums.map((each) => ({ ...newStamps(author, now), ...each }));
  try {
    await inTransaction(db, async (session) => {
      await collectionOf(db, programResource).insertOne(program, { session });
      await collectionOf(db, pursePolicyResource).insertMany(policies, { session });
      await collectionOf(db, tierPolicyResource).insertMany(tierPolicies, { session });
      await collectionOf(db, enumResource).insertMany(enums, { session });
      await insertCatalog(db, author, program._id, session, now);
      await countDefinitionChange(db, author.org, session);
    });
  } catch (error) {
    // Another process that started at the same time fills the same org.
    if (!isDuplicateKey(error) && !isTransient(error)) throw error;
  }
}

async function insertCatalog(db: Connection, author: Author, program: ObjectId, session: ClientSession, now: Date) {
  const made = <T>(each: T) => ({ ...newStamps(author, now), ...each });
  const inProgram = <T>(each: T) => ({ ...made(each), program });
  await collectionOf(db, partnerResource).insertMany(demoPartners.map(made), { session });
  await collectionOf(db, locationResource).insertMany(demoLocations.map(made), { session });
  await collectionOf(db, productResource).insertMany(demoProducts.map(made), { session });
  await collectionOf(db, offerResource).insertMany(demoOffers.map(inProgram), { session });
  await collectionOf(db, rewardResource).insertMany(demoRewards.map(inProgram), { session });
}

async function ensureMember(
  services: Pick<Infrastructure, 'db' | 'ruleSets'>,
  author: Author,
  body: Parameters<typeof createMember>[2] & { loyaltyID: string },
  now: Date,
): Promise<void> {
  const { db } = services;
  if (await findMember(db, author.org, body.loyaltyID)) return;
  try {
    await createMember(services, author, body, now);
  } catch (error) {
    const taken = error instanceof ServiceError && error.reason === 'validation';
    if (!taken || !(await findMember(db, author.org, body.loyaltyID))) throw error;
  }
}

async function findMember(db: Connection, org: ObjectId, loyaltyID: string): Promise<Member | null> {
  return collectionOf(db, memberResource).findOne({ org, loyaltyIDs: loyaltyID });
}

async function ensureAccount(db: Connection, author: Author, program: Program, now: Date): Promise<void> {
  const found = await Promise.all(demoHousehold.map((loyaltyID) => findMember(db, author.org, loyaltyID)));
  const members = found.flatMap((member) => (member ? [{ member: member._id, program: program._id }] : []));
  const activeMember = members[0]?.member;
  assert(activeMember, 'the demo members were made before');
  const stamps = newStamps(author, now, derivedId('demoAccount', author.org));
  try {
    await collectionOf(db, accountResource).insertOne({ ...stamps, members, activeMember, version: 1 });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
