import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import { loadLiveLots, survivorOf } from '../../memberState/readMember';
import type { Coupon } from '../../offers/coupon';
import { useCounters } from '../../offers/useCounters';
import { isActivity } from '../../points/ledger/expiry';
import { expiresInactive } from '../../points/ledger/purses';
import type { Activity } from '../../records/activities/activity';
import { type ActivityHistory, noEffects } from '../../records/activities/activityHistory';
import { limitCounterResource } from '../../records/activities/limitCounter';
import type { Member } from '../../records/members/member';
import type { Lot } from '../../records/points/lot';
import { counterKeys } from '../../rules/format/limits';
import { couponOf, locationOf, type NamedRecords, withLocationId } from '../state/batchContext';
import type { PipelineRequest } from '../state/pipelineRequest';
import type { BatchScope } from './batchScope';

/**
 * The accrual items of the members whose existing items may change, by hexadecimal member id. These are members with
 * something due, with an activity that can burn points or extend an expiry, or with a cancellation. Other members have
 * no entry.
 */
export function loadLots(db: Connection, scope: BatchScope): Promise<Map<string, Lot[]>> {
  const survivors = new Map(
    scope.members.flatMap(({ _id, mergedInto, mergeIds }) =>
      mergedInto ? [] : mergeIds.map((merged) => [merged.toHexString(), _id] as const),
    ),
  );
  return loadLiveLots(db, scope.org, membersWithLots(scope), { also: lotsOfOriginals(scope), survivors });
}

function membersWithLots(scope: BatchScope): ObjectId[] {
  const { members, requests, originals, now, named, memberOf, rulesOf } = scope;
  const needed = new Map<string, ObjectId>();
  const need = (id: ObjectId) => needed.set(id.toHexString(), id);
  for (const { _id, nextDue } of members) if (nextDue && nextDue <= now) need(_id);
  for (const request of requests) {
    const member = memberOf(request);
    const { type } = request.activity;
    const spends = member && (rulesOf(request)?.actionNeeds.items || redeems(named, request));
    const moves = isActivity(type) && member?.purses.some(expiresInactive);
    if (member && (request.cancel || spends || moves)) need(member._id);
  }
  // A cancellation also reverses awards to other members, possibly from their other lots.
  if (originals.length > 0) for (const { _id } of holdersOf(scope)) need(_id);
  return [...needed.values()];
}

/** Members whose points or debt the originals of cancellations changed. For a merged member it is the survivor. */
function holdersOf({ members, originals }: BatchScope): Member[] {
  const byId = new Map(members.map((member) => [member._id.toHexString(), member]));
  const ids = new Set(originals.flatMap(effectsOf).map(({ member }) => member.toHexString()));
  return [...ids].flatMap((id) => {
    const holder = survivorOf(
      id,
      (each) => byId.get(each),
      (doc) => doc,
    );
    return holder ?? [];
  });
}

function effectsOf({ effects }: ActivityHistory) {
  const { accrued, burned, debts } = effects ?? noEffects;
  return [...accrued, ...burned, ...debts];
}

/** True when the activity names a reward that costs points. */
function redeems(named: NamedRecords, { activity }: PipelineRequest): boolean {
  return [activity, ...activity.lineItems].some((item) => {
    const coupon = couponOf(named, item);
    return coupon?.kind === 'reward' && coupon.record.cost !== undefined;
  });
}

/**
 * Filters for the items that cancellations return, spent items included. When an original burned points or made debt,
 * they also select items that repaid debt in those purses: the debt may be the original's, or a charge for an award
 * whose burned points are restored now.
 */
function lotsOfOriginals(scope: BatchScope): Record<string, unknown>[] {
  const all = scope.originals.map(({ effects }) => effects ?? noEffects);
  const ids = all.flatMap(({ accrued, burned }) => [...accrued, ...burned]).map(({ lot }) => lot);
  const purses = all.flatMap(({ burned, debts }) => [...burned, ...debts]).map(({ purse }) => purse.toHexString());
  const owners = purses.length > 0 ? holdersOf(scope).flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]) : [];
  const repaid = {
    member: { $in: owners },
    purse: { $in: [...new Set(purses)].map((purse) => new ObjectId(purse)) },
    repaidPoints: { $gt: 0 },
  };
  return [...(ids.length > 0 ? [{ _id: { $in: ids } }] : []), ...(owners.length > 0 ? [repaid] : [])];
}

/** The used amounts of limits and budgets, by hexadecimal counter id. A counter at 0 may be missing. */
interface Usage {
  used: Map<string, number>;
  /**
   * The share of `used` that is stored in former counters, such as those of merged members. Those counters stay, so that
   * a return goes to the counter that the activity used.
   */
  inherited: ReadonlyMap<string, number>;
}

/** Reads the used amounts of the limits and budgets that a batch may change. */
export async function loadUsage(db: Connection, scope: BatchScope): Promise<Usage> {
  const { ids, heirs } = countersOf(scope);
  const used = new Map<string, number>();
  const inherited = new Map<string, number>();
  if (ids.size === 0) return { used, inherited };
  const counters = await collectionOf(db, limitCounterResource)
    .find({ _id: { $in: [...ids].map((id) => new ObjectId(id)) }, org: scope.org })
    .toArray();
  const add = (sums: Map<string, number>, key: string, value: number) => sums.set(key, (sums.get(key) ?? 0) + value);
  for (const counter of counters) {
    const key = counter._id.toHexString();
    add(used, key, counter.used);
    for (const heir of heirs.get(key) ?? []) {
      add(used, heir, counter.used);
      add(inherited, heir, counter.used);
    }
  }
  return { used, inherited };
}

interface Counters {
  ids: Set<string>;
  /** The present counter for each counter of a merged member, or of a location named by its number. */
  heirs: Map<string, Set<string>>;
}

function countersOf(scope: BatchScope): Counters {
  const ids = new Set(
    scope.originals.flatMap(({ effects }) => effects?.counters.map(({ id }) => id.toHexString()) ?? []),
  );
  const heirs: Counters['heirs'] = new Map();
  for (const request of scope.requests) {
    const member = scope.memberOf(request);
    if (!member) continue;
    for (const coupon of couponsOf(scope, request)) {
      addOwn({ ids, heirs }, (memberId) => useCounters(coupon, memberId), member);
    }
    const [program, rules] = [scope.catalog.programOf(member.program), scope.rulesOf(request)];
    if (!program || !rules?.limited) continue;
    const activity = withLocationId(scope.named, request.activity);
    const byNumber = namedByNumber(scope.named, activity);
    for (const rule of rules.rules) {
      const keysOf = (memberId: ObjectId) => counterKeys(rule, activity, { memberId, program });
      addOwn({ ids, heirs }, keysOf, member);
      const { _id: memberId } = member;
      if (byNumber)
        inherit({ ids, heirs }, hexOf(keysOf(memberId)), counterKeys(rule, byNumber, { memberId, program }));
    }
  }
  return { ids, heirs };
}

/**
 * The activity with its location named by number only. Older versions counted such activities in counters of their own,
 * which still count.
 */
function namedByNumber(records: NamedRecords, activity: Activity): Activity | undefined {
  const number = locationOf(records, activity)?.number;
  if (typeof number !== 'string') return undefined;
  const { locationId: _id, ...named } = activity;
  return { ...named, srcChannelID: number };
}

/** Adds the counters of a member, and those of the members merged into it. */
function addOwn(
  counters: Counters,
  keysOf: (memberId: ObjectId) => readonly { id: ObjectId }[],
  { _id, mergeIds }: Pick<Member, '_id' | 'mergeIds'>,
): void {
  const own = hexOf(keysOf(_id));
  for (const id of own) counters.ids.add(id);
  for (const merged of mergeIds) inherit(counters, own, keysOf(merged));
}

function hexOf(keys: readonly { id: ObjectId }[]): string[] {
  return keys.map(({ id }) => id.toHexString());
}

/** `own` and `former` list the same counters in the same order. Counters that did not move are equal in both. */
function inherit({ ids, heirs }: Counters, own: readonly string[], former: readonly { id: ObjectId }[]): void {
  for (const [index, { id }] of former.entries()) {
    const key = id.toHexString();
    const heir = own[index];
    if (heir === undefined || heir === key) continue;
    ids.add(key);
    heirs.set(key, (heirs.get(key) ?? new Set()).add(heir));
  }
}

/** The offers and rewards that a request may use. */
function couponsOf({ named, rulesOf }: BatchScope, request: PipelineRequest): Coupon[] {
  if (named.couponById.size === 0) return [];
  const { activity } = request;
  const codes = rulesOf(request)?.actionNeeds.couponCodes ?? [];
  const coupons = [
    ...[activity, ...activity.lineItems].map((item) => couponOf(named, item)),
    ...codes.flatMap((code) => [named.offerByCode.get(code), named.rewardByCode.get(code)]),
  ];
  return coupons.filter((coupon) => coupon !== undefined);
}
