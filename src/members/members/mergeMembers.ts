import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { invalidField, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf, insertAll, updateAll } from '#base/db/collections';
import { type Author, newStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inTransaction, withRetries } from '#base/db/transaction';
import type { LedgerChanges } from '#engine/points/ledger/ledger';
import { mergeLedgers } from '#engine/points/ledger/mergeLedgers';
import { PointsOverflow } from '#engine/points/pointsOverflow';
import { mergeLifetime, mergeTurnovers } from '#engine/sums/lifetime';
import { mergeTiers } from '#engine/tiers/memberTiers';
import { followMerge } from '#members/accounts/followMerge';
import { commitLedger, type StampedChange } from '#members/memberState/commitLedger';
import { type MemberState, openMembers, stampChange } from '#members/memberState/memberState';
import { loadLiveLots, requirePresent } from '#members/memberState/readMember';
import { reachTiers, settleState } from '#members/memberState/settleState';
import { type WantedOccasions, wantedInForce } from '#members/occasions/wantedOccasions';
import { loadTierSums } from '#members/tiers/loadTierSums';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import { writeEvents } from '#platform/events/writeEvents';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { toMachineClock } from '#platform/orgs/orgClock';
import type { OrgVersions } from '#platform/orgs/orgVersions';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { loadProgramCatalog, type ProgramCatalog } from '#programs/programs/programCatalog';
import { addToRunningTotals, type RunningTotal } from '#records/aggregates/runningTotals';
import { followUpResource } from '#records/members/followUp';
import { type Member, memberResource } from '#records/members/member';
import { commitMerged } from './commitMerged';
import { isMergedInto, mergedIds, mergedProfile, requireMergeable } from './mergedProfile';
import { mergeReferrals } from './mergeReferrals';

/** Most members that one request may merge into a survivor. */
export const mergeMax = 20;

export interface MergeRequest {
  survivorId: ObjectId;
  memberIds: readonly ObjectId[];
}

/**
 * Merges members into a survivor. One transaction moves everything that later decisions about the survivor read. The
 * job `members` moves the rest later: histories, spent lots and aggregates. All members are locked before more is read,
 * so that requests for a busy member cannot stop the merge from committing. Members that were merged into the survivor
 * before are skipped, so a client that lost the answer can send the merge again.
 * @returns the survivor
 * @throws ServiceError 1500 and 1510 for the survivor, 1200 for members that cannot be merged, 1310 when other requests
 *   keep changing the members
 */
export async function mergeMembers(
  { db, clock, ruleSets }: Pick<Infrastructure, 'db' | 'clock' | 'ruleSets'>,
  author: Auditor & { versions?: OrgVersions },
  request: MergeRequest,
  inCommit?: InCommit<Member>,
): Promise<Member> {
  const attempt = async () => {
    const catalog = await loadProgramCatalog(db, author.org);
    const [now, auditedAt] = [clock.now(), toMachineClock(clock).now()];
    const wanted = await wantedInForce({ db, ruleSets }, author, now);
    return inTransaction(db, async (session) => {
      const survivor = await merge({ db, session, author, now, auditedAt, catalog, wanted }, request);
      await inCommit?.(survivor, session);
      return survivor;
    });
  };
  return serializedPerOrg(db, author.org, () => withRetries(attempt, { now: () => clock.now().getTime() }));
}

interface Merging {
  db: Connection;
  session: ClientSession;
  author: Auditor;
  now: Date;
  /** The same instant by the machine's clock. */
  auditedAt: Date;
  catalog: ProgramCatalog;
  wanted: WantedOccasions;
}

async function merge(merging: Merging, { survivorId, memberIds }: MergeRequest): Promise<Member> {
  const { db, session, author, now, auditedAt } = merging;
  const found = await readMembers(merging, [survivorId, ...memberIds]);
  const survivor = found.find(({ _id }) => _id.equals(survivorId));
  if (!survivor) throw notFound('Member');
  await requirePresent(db, survivor);
  requireMergeable(survivor, memberIds, found);
  const left = memberIds.filter((id) => !isMergedInto(survivor, id));
  if (left.length === 0) return survivor;
  const merged = left.flatMap((id) => found.filter(({ _id }) => _id.equals(id)));
  await lock(merging, [survivor, ...merged]);
  const profile = mergedProfile(survivor, merged, await mergeReferrals(merging, survivor, merged));
  await commitLedger(db, session, await ledgerChanges(merging, survivor, merged), now);
  await commitMerged(merging, survivor, merged, profile);
  for (const { _id } of merged) await followMerge(db, session, author, { survivor: survivorId, merged: _id }, now);
  const followUps = merged.map(({ _id }) => ({ ...newStamps(author, now, _id), after: 'merge', since: now }));
  await insertAll(db, session, followUpResource.path, followUps);
  const { program } = survivor;
  const data = { merged: merged.map(({ _id }) => _id) };
  await writeEvents(db, session, author, now, [{ type: 'member.merged', program, member: survivorId, data }]);
  const change = { action: 'merge', resource: memberResource.path, id: survivorId, after: { memberIds: left } };
  await audit(db, session, author, auditedAt, [change]);
  const [after] = await readMembers(merging, [survivorId]);
  if (!after) throw new GuardFailed('The survivor is gone');
  return after;
}

function readMembers({ db, session, author }: Merging, ids: readonly ObjectId[]): Promise<Member[]> {
  return collectionOf(db, memberResource)
    .find({ org: author.org, _id: { $in: [...ids] } }, { session })
    .toArray();
}

/** Raises the version of all members, so that any other commit to one of them fails from now on and starts over. */
async function lock({ db, session, author }: Merging, members: readonly Member[]): Promise<void> {
  const updates = members.map(({ _id, version }) => ({
    q: { _id, org: author.org, version },
    u: { $inc: { version: 1 } },
  }));
  const locked = await updateAll(db, session, memberResource.path, updates);
  if (locked !== members.length) throw new GuardFailed('A member changed meanwhile');
}

async function ledgerChanges(
  { db, session, author, now, catalog, wanted }: Merging,
  survivor: Member,
  merged: readonly Member[],
): Promise<StampedChange[]> {
  // The lock has raised each version by one.
  const members = [survivor, ...merged].map((member) => ({ ...member, version: member.version + 1 }));
  const ids = members.map(({ _id }) => _id);
  const lots = await loadLiveLots(db, author.org, ids, { session });
  // What was due before the merge is judged by what each member had alone.
  const scope = { org: author.org, catalog, now };
  const sums = await loadTierSums(db, { ...scope, members: [survivor, ...merged] });
  const together = await loadTierSums(db, { ...scope, members: [forTierSums(survivor, merged)] });
  const states = [...openMembers(members, catalog, { lots, sums }, now, wanted).values()];
  for (const state of states) settleState(state, author, now);
  const [first, ...others] = states;
  if (!first || others.length !== merged.length) throw notFound('Program');
  const ledgers = refuseOverflow(() =>
    mergeLedgers(
      first.ledger,
      others.map(({ ledger }) => ledger),
    ),
  );
  return [
    stampChange(
      refuseOverflow(() => combinedState(first, others, together.get(survivor._id.toHexString()) ?? [], author, now)),
      author,
      ledgers.survivor,
    ),
    ...others.flatMap((state, index) => emptied(state, author, ledgers.merged[index])),
  ];
}

/**
 * The state of the survivor with the metrics and accruals of all members, and the best of their tiers under each
 * policy.
 * @param sums what all members had together before they were settled
 */
function combinedState(
  first: MemberState,
  others: readonly MemberState[],
  sums: readonly RunningTotal[],
  author: Author,
  now: Date,
) {
  const survivor = first.doc._id;
  const states = [first, ...others];
  const movedMetrics = others.flatMap(({ metrics }) => metrics).map((entry) => ({ ...entry, member: survivor }));
  const books = others.map(({ tiers }) => tiers);
  const combined = {
    ...first,
    author,
    processedAccruals: states.reduce((sum, state) => sum + state.processedAccruals, 0),
    metrics: [...first.metrics, ...movedMetrics],
    aggregates: mergeLifetime(
      survivor,
      states.map(({ aggregates }) => aggregates),
      now,
    ),
    turnovers: mergeTurnovers(states),
    keptSums: addToRunningTotals(sums, [...first.metrics, ...movedMetrics]),
    tiers: mergeTiers(first.tiers, books, first.tierPolicies),
  };
  reachTiers(combined);
  return combined;
}

/** The state of a merged member after everything has moved to the survivor. */
function emptied(state: MemberState, author: Author, changes: LedgerChanges | undefined) {
  const tiers = { ...state.tiers, ladders: [] };
  const left = {
    ...state,
    author,
    processedAccruals: 0,
    metrics: [],
    aggregates: [],
    tiers,
    keptSums: [],
    turnovers: [],
  };
  return changes ? [stampChange(left, author, changes)] : [];
}

/**
 * The survivor for which tier sums are read: with the ids of the merged members, so that their metrics count, with the
 * ladders of all, and without running totals, because those do not include the merged members.
 */
function forTierSums(survivor: Member, merged: readonly Member[]): Member {
  const ladders = [survivor, ...merged].flatMap((member) => member.ladders ?? []);
  return { ...survivor, ladders, keptSums: [], mergeIds: mergedIds(survivor, merged) };
}

function refuseOverflow<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PointsOverflow)) throw error;
    throw invalidField('memberIds', 'maximum', message('members.togetherTooMuch'));
  }
}
