import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../../db/collections';
import type { Coupon } from '../../offers/coupon';
import { useCounters } from '../../offers/useCounters';
import { limitCounterResource } from '../../records/activities/limitCounter';
import type { Member } from '../../records/members/member';
import { counterKeys } from '../../rules/format/limits';
import type { BatchScope } from '../state/batchScope';
import { couponOf } from '../state/namedRecords';
import type { Work } from '../state/work';

/** What limits and budgets have used so far, by hexadecimal counter id; 0 is left out. */
export interface Usage {
  used: Map<string, number>;
  /**
   * Of `used`, what stands in the counters of members merged into the one whose counter it is. They are kept, so that
   * what merged members did can be given back to the counter it was taken from.
   */
  inherited: ReadonlyMap<string, number>;
}

/** Reads what the limits and budgets that a batch may touch have used so far. */
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
  /** The survivor's counter for each counter of a member merged into it. */
  heirs: Map<string, Set<string>>;
}

function countersOf(scope: BatchScope): Counters {
  const ids = new Set(
    scope.targets.flatMap(({ effects }) => effects?.counters.map(({ id }) => id.toHexString()) ?? []),
  );
  const heirs: Counters['heirs'] = new Map();
  for (const work of scope.works) {
    const { activity } = work;
    const member = scope.memberOf(work);
    if (!member) continue;
    for (const coupon of couponsOf(scope, work)) {
      addOwn({ ids, heirs }, (memberId) => useCounters(coupon, memberId), member);
    }
    const [program, rules] = [scope.catalog.programOf(member.program), scope.rulesOf(work)];
    if (!program || !rules?.limited) continue;
    for (const rule of rules.rules) {
      addOwn({ ids, heirs }, (memberId) => counterKeys(rule, activity, { memberId, program }), member);
    }
  }
  return { ids, heirs };
}

/** Adds the counters of a member, and those of the members merged into it. */
function addOwn(
  counters: Counters,
  keysOf: (memberId: ObjectId) => readonly { id: ObjectId }[],
  { _id, mergeIds }: Pick<Member, '_id' | 'mergeIds'>,
): void {
  const own = keysOf(_id).map(({ id }) => id.toHexString());
  for (const id of own) counters.ids.add(id);
  for (const merged of mergeIds) inherit(counters, own, keysOf(merged));
}

/** Counters stand in the same order for both; those that are not of a member are the same. */
function inherit({ ids, heirs }: Counters, own: readonly string[], merged: readonly { id: ObjectId }[]): void {
  for (const [index, { id }] of merged.entries()) {
    const key = id.toHexString();
    const heir = own[index];
    if (heir === undefined || heir === key) continue;
    ids.add(key);
    heirs.set(key, (heirs.get(key) ?? new Set()).add(heir));
  }
}

/** The offers and rewards that a work may use. */
function couponsOf({ named, rulesOf }: BatchScope, work: Work): Coupon[] {
  if (named.couponById.size === 0) return [];
  const { activity } = work;
  const codes = rulesOf(work)?.actionNeeds.couponCodes ?? [];
  const coupons = [
    ...[activity, ...activity.lineItems].map((item) => couponOf(named, item)),
    ...codes.flatMap((code) => [named.offerByCode.get(code), named.rewardByCode.get(code)]),
  ];
  return coupons.filter((coupon) => coupon !== undefined);
}
