import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf, insertAll } from '#base/db/collections';
import { derivedId, newStamps } from '#base/db/records';
import { inTransaction } from '#base/db/transaction';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { insertMetricEvents } from '#members/memberState/commitLedger';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { memberResource } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { type Program, programResource } from '#records/programs/program';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import type { Org } from '#records/users/org';
import { type SeedPlan, seededMember, seededMemberId } from './seededMember';

/** How much a seed makes. */
export interface SeedSize {
  /** 1 to 10,000,000. */
  members: number;
  /** Accrual items of all members together, spread evenly; at most 1,000 for each member. */
  items: number;
}

/** The org has programs that are not of this seed. */
export class SeedRefused extends Error {
  override readonly name = 'SeedRefused';
}

/** The approximate number of accrual items in one batch. */
const batchItems = 5000;
const batchMembersMax = 1000;

/**
 * Fills an org with a program, members, accrual items, journal and histories that agree with each other, and updates
 * the record counts. It makes no aggregates. After an interrupted run, a run of the same size continues where that
 * stopped.
 * @param onProgress gets the number of complete members
 * @throws SeedRefused when the org has programs that are not of a seed of this size
 */
export async function seedOrg(
  db: Connection,
  org: Org,
  size: SeedSize,
  now: Date,
  onProgress: (members: number) => void = () => undefined,
): Promise<void> {
  // The first roll-up counts the existing records, which is cheap only while there are few.
  await rollUp({ db }, { org: org._id, now });
  const plan = await prepareProgram(db, org, size, now);
  const batch = Math.max(
    1,
    Math.min(batchMembersMax, Math.floor((batchItems * size.members) / Math.max(1, size.items))),
  );
  for (let from = 0; from < size.members; from += batch) {
    const to = Math.min(size.members, from + batch);
    if (!(await isComplete(db, org._id, from, to))) await makeMembers(db, plan, size, from, to);
    onProgress(to);
  }
  await rollUp({ db }, { org: org._id, now });
}

async function prepareProgram(db: Connection, org: Org, size: SeedSize, now: Date): Promise<SeedPlan> {
  const author = { org: org._id, userId: org.systemUser };
  const seed = `${size.members} members, ${size.items} items`;
  const found = await collectionOf(db, programResource).find({ org: org._id }).limit(2).toArray();
  const [existing] = found;
  if (existing && (found.length > 1 || existing.ext?.seed !== seed)) {
    throw new SeedRefused(`The org ${org.code} holds ${contentText(existing)}; seed another org, with --org`);
  }
  const program: Program = existing ?? {
    ...newStamps(author, now, derivedId('seedProgram', org._id)),
    code: 'seed',
    name: 'Seeded program',
    status: 'Active',
    timezone: 'UTC',
    ext: { seed },
    hasMembers: true,
  };
  const policy: PursePolicy = {
    ...newStamps(author, program.createdAt, derivedId('seedPolicy', org._id)),
    name: 'Points',
    program: program._id,
    primary: true,
    overdraftLimit: 0,
    clawback: 'full',
    expiry: { type: 'rolling', value: 2, unit: 'year' },
  };
  if (!existing) await storeDefinitions(db, program, policy);
  // A resumed run uses the time of the first run.
  return { author, program, policy, now: program.createdAt };
}

function contentText({ code, ext }: Program): string {
  return typeof ext?.seed === 'string' ? `a seed of ${ext.seed}` : `the program ${code}`;
}

async function storeDefinitions(db: Connection, program: Program, policy: PursePolicy): Promise<void> {
  await inTransaction(db, async (session) => {
    await collectionOf(db, programResource).insertOne(program, { session });
    await collectionOf(db, pursePolicyResource).insertOne(policy, { session });
    await countDefinitionChange(db, program.org, session);
  });
}

/** True when all members of a batch are stored. A batch is stored in one transaction. */
async function isComplete(db: Connection, org: ObjectId, from: number, to: number): Promise<boolean> {
  const ids = seededIds(org, from, to);
  return (await collectionOf(db, memberResource).countDocuments({ org, _id: { $in: ids } })) === ids.length;
}

function seededIds(org: ObjectId, from: number, to: number): ObjectId[] {
  return Array.from({ length: to - from }, (_unused, index) => seededMemberId(org, from + index));
}

async function makeMembers(db: Connection, plan: SeedPlan, size: SeedSize, from: number, to: number): Promise<void> {
  const { org } = plan.author;
  const itemsUpTo = (n: number) => Math.floor((n * size.items) / size.members);
  const made = seededIds(org, from, to).map((_id, index) => {
    const n = from + index;
    return seededMember(plan, n, itemsUpTo(n + 1) - itemsUpTo(n));
  });
  const items = made.flatMap((each) => each.items);
  const entries = made.flatMap((each) => each.entries);
  const histories = made.flatMap((each) => each.histories);
  const members = made.map(({ member }) => member);
  await inTransaction(db, async (session) => {
    await insertAll(db, session, accrualItemResource.path, items);
    await insertAll(db, session, journalResource.path, entries);
    await insertAll(db, session, activityHistoryResource.path, histories);
    await insertAll(db, session, memberResource.path, members);
    await insertMetricEvents(db, session, plan.author, plan.now, {
      entries: [],
      made: { accrualitems: items.length, journal: entries.length, activityhistories: histories.length },
    });
  });
}
