import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { eachDespiteFailures } from '#base/common/lists/eachDespiteFailures';
import { collectionOf } from '#base/db/collections';
import { isTemporary } from '#base/db/isTemporary';
import { inTransaction, isTransient, withRetries } from '#base/db/transaction';
import { loadTierSums } from '#members/tiers/loadTierSums';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { loadProgramCatalog } from '#programs/programs/programCatalog';
import { type Member, memberResource } from '#records/members/member';
import { orgResource } from '#records/users/org';
import { commitLedger } from './commitLedger';
import { ledgerChange, openMembers } from './memberState';
import { loadLiveLots } from './readMember';
import { type SettledCounts, settleState } from './settleState';

type SettleServices = Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>;

/** Counts of a sweep: members settled, and what was settled in them. */
export interface SweepCounts extends SettledCounts {
  members: number;
}

/**
 * Settles these members of one org in one transaction: releases, expiries and tier lapses that are due. When it fails,
 * they are settled one by one, so that a busy or faulty member does not block the others. Idempotent: it skips members
 * that another process has settled meanwhile.
 * @throws the first failure, after all members; at once when the store does not answer
 */
export async function settleMembers(
  services: SettleServices,
  org: ObjectId,
  ids: readonly ObjectId[],
  now: Date,
): Promise<SweepCounts> {
  try {
    return await withRetries(() => settleOnce(services, org, ids, now), { now: () => services.clock.now().getTime() });
  } catch (error) {
    if (ids.length === 1 || isOutage(error)) throw error;
  }
  const counts = { members: 0, released: 0, tiers: 0, expired: 0 };
  const settleOne = async (id: ObjectId) => add(counts, await settleMembers(services, org, [id], now));
  await eachDespiteFailures(ids, settleOne, isOutage);
  return counts;
}

/** Tells whether a failure is one of the store, so that it would be the same for every member. */
export function isOutage(error: unknown): boolean {
  return isTemporary(error) && !isTransient(error);
}

async function settleOnce(
  { db, ruleSets }: SettleServices,
  org: ObjectId,
  memberIds: readonly ObjectId[],
  now: Date,
): Promise<SweepCounts> {
  const [orgDoc, members, catalog] = await Promise.all([
    collectionOf(db, orgResource).findOne({ _id: org }),
    collectionOf(db, memberResource)
      .find({ _id: { $in: [...memberIds] }, org, nextDue: { $lte: now } })
      .toArray(),
    loadProgramCatalog(db, org),
  ]);
  if (!orgDoc) throw notFound('Org');
  const ids = members.map(({ _id }) => _id);
  const [lots, sums] = await Promise.all([
    loadLiveLots(db, org, ids),
    loadTierSums(db, { org, members: members.filter(isTiered), catalog, now }),
  ]);
  const ruleSet = await ruleSets.current(org, orgDoc.ruleSetVersion);
  const states = openMembers(members, catalog, { lots, sums }, now, (program) => ruleSet?.occasionsOf(program));
  const author = { org, userId: orgDoc.systemUser };
  const counts = { members: 0, released: 0, tiers: 0, expired: 0 };
  for (const state of states.values()) add(counts, { members: 1, ...settleState(state, author, now) });
  const changes = [...states.values()].flatMap(ledgerChange);
  if (changes.length > 0) await inTransaction(db, (session) => commitLedger(db, session, changes, now));
  return counts;
}

/** Adds counts to others. */
export function add(counts: SweepCounts, more: SweepCounts): void {
  counts.members += more.members;
  counts.released += more.released;
  counts.tiers += more.tiers;
  counts.expired += more.expired;
}

/** Only the tiers of a member with tiers can be due. */
function isTiered({ tiers }: Member): boolean {
  return tiers.length > 0;
}
