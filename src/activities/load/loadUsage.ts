import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import {
  type BatchContext,
  choosable,
  findCoupon,
  findLocation,
  type NamedRecords,
  withLocationId,
} from '#activities/state/batchContext';
import { withProducts } from '#activities/state/checkActivity';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { WindowCounters } from '#activities/state/windowCounters';
import { addDecimals } from '#base/common/addDecimals';
import { collectionOf } from '#base/db/collections';
import type { ActivityRules } from '#engine/rules/evaluate/ruleSet';
import { type CounterKey, type CounterOwner, counterIds, counterKeys } from '#engine/rules/format/limits';
import type { Rule } from '#engine/rules/format/rule';
import type { Coupon } from '#programs/offers/coupon';
import { useCounters } from '#programs/offers/useCounters';
import type { Activity } from '#records/activities/activity';
import { type LimitCounter, limitCounterResource } from '#records/activities/limitCounter';
import { accountResource } from '#records/members/account';
import type { Member } from '#records/members/member';
import type { BatchScope } from './batchScope';

/** What limits, budgets and coupons have used before a batch. */
export type Usage = Pick<BatchContext, 'usage' | 'inheritedUsage' | 'limitWindows' | 'accounts'>;

/** The account of each member that is in one, by hexadecimal member id. */
type Accounts = ReadonlyMap<string, ObjectId>;

/** Reads the counters with these ids, when it is the turn of the batch. */
export type CounterReader = (ids: readonly ObjectId[], read: () => Promise<LimitCounter[]>) => Promise<LimitCounter[]>;

/** Reads the used amounts of the limits and budgets that a batch may change. */
export async function loadUsage(db: Connection, scope: BatchScope, readCounters: CounterReader): Promise<Usage> {
  const accounts = await loadAccounts(db, scope);
  const { ids, heirs } = usedCounters(scope, accounts);
  const usage = new Map<string, number>();
  const inheritedUsage = new Map<string, number>();
  let limitWindows: WindowCounters | undefined;
  const counterIds = [...ids].map((id) => new ObjectId(id));
  const read = () =>
    collectionOf(db, limitCounterResource)
      .find({ _id: { $in: counterIds }, org: scope.org })
      .toArray();
  const counters = counterIds.length === 0 ? [] : await readCounters(counterIds, read);
  const add = (sums: Map<string, number>, key: string, value: number) =>
    sums.set(key, addDecimals(sums.get(key) ?? 0, value));
  for (const counter of counters) {
    const key = counter._id.toHexString();
    if (counter.writes !== undefined) {
      limitWindows ??= new WindowCounters();
      limitWindows.read(counter, heirs.get(key) ?? []);
      continue;
    }
    add(usage, key, counter.used);
    for (const heir of heirs.get(key) ?? []) {
      add(usage, heir, counter.used);
      add(inheritedUsage, heir, counter.used);
    }
  }
  return { usage, inheritedUsage, limitWindows, accounts };
}

/** The accounts of the members whose rules have a limit per account. Without such a rule, nothing is read. */
async function loadAccounts(db: Connection, { org, requests, memberOf, rulesOf }: BatchScope): Promise<Accounts> {
  const withAccountLimits = new Map<string, ObjectId>();
  for (const request of requests) {
    const member = memberOf(request);
    const rules = rulesOf(request);
    if (member && rules?.limited && countsByAccount(rules)) withAccountLimits.set(member._id.toHexString(), member._id);
  }
  if (withAccountLimits.size === 0) return new Map();
  const found = await collectionOf(db, accountResource)
    .find({ org, 'members.member': { $in: [...withAccountLimits.values()] } })
    .project<{ _id: ObjectId; members: { member: ObjectId }[] }>({ 'members.member': 1 })
    .toArray();
  return new Map(
    found.flatMap(({ _id, members }) => members.map(({ member }) => [member.toHexString(), _id] as const)),
  );
}

function countsByAccount({ rules }: ActivityRules): boolean {
  return rules.some(({ limits = [] }) => limits.some(({ per }) => per === 'account'));
}

interface Counters {
  ids: Set<string>;
  /** The present counter for each counter of a merged member, or of a location named by its number. */
  heirs: Map<string, Set<string>>;
}

function usedCounters(scope: BatchScope, accounts: Accounts): Counters {
  const ids = new Set(
    scope.originals.flatMap(({ effects }) => effects?.counters.map(({ id }) => id.toHexString()) ?? []),
  );
  const heirs: Counters['heirs'] = new Map();
  for (const request of scope.requests) {
    const member = scope.memberOf(request);
    if (!member) continue;
    for (const coupon of couponsToCount(scope, request)) {
      addOwn({ ids, heirs }, (memberId) => useCounters(coupon, memberId), member);
    }
    const [program, rules] = [scope.catalog.programOf(member.program), scope.rulesOf(request)];
    if (program && rules?.limited) addLimits({ ids, heirs }, scope, request, { member, program, rules, accounts });
  }
  return { ids, heirs };
}

interface LimitedMember {
  member: Member;
  program: CounterOwner['program'];
  rules: ActivityRules;
  accounts: Accounts;
}

/** Adds the counters of the limits and budgets of a request. */
function addLimits(
  counters: Counters,
  { named }: BatchScope,
  { activity: sent }: PipelineRequest,
  { member, program, rules, accounts }: LimitedMember,
): void {
  const activity = withProducts(named, withLocationId(named, sent));
  const byNumber = namedByNumber(named, activity);
  const owner = {
    program,
    account: accounts.get(member._id.toHexString()),
    enrolledAt: member.enrolledAt,
    couponId: (item: Parameters<typeof findCoupon>[1]) => findCoupon(named, item)?.record._id.toHexString(),
  };
  for (const rule of rules.rules) {
    const keysOf = (memberId: ObjectId) => stored(counterKeys(rule, activity, { ...owner, memberId }));
    addOwn(counters, keysOf, countsByMember(rule) ? member : { ...member, mergeIds: [] });
    const { _id: memberId } = member;
    if (!byNumber) continue;
    inherit(counters, hexIds(keysOf(memberId)), stored(counterKeys(rule, byNumber, { ...owner, memberId })));
  }
}

/**
 * Tells whether merged members may have counters of their own. It saves computing them, which takes long for a thousand
 * line items.
 */
function countsByMember({ limits = [] }: Pick<Rule, 'limits'>): boolean {
  return limits.some(({ per }) => per === 'member' || per === 'account');
}

/** The ids of all stored counters on which these keys depend, in the same order for every member. */
function stored(keys: readonly CounterKey[]): { id: ObjectId }[] {
  return keys.flatMap(counterIds).map((id) => ({ id }));
}

/**
 * The activity with its location named by number only. Older versions counted such activities in counters of their own,
 * which still count.
 */
function namedByNumber(records: NamedRecords, activity: Activity): Activity | undefined {
  const number = findLocation(records, activity)?.number;
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
  const own = hexIds(keysOf(_id));
  for (const id of own) counters.ids.add(id);
  for (const merged of mergeIds) inherit(counters, own, keysOf(merged));
}

function hexIds(keys: readonly { id: ObjectId }[]): string[] {
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
function couponsToCount({ named, rulesOf }: BatchScope, request: PipelineRequest): Coupon[] {
  if (named.couponById.size === 0) return [];
  const { activity } = request;
  const codes = rulesOf(request)?.actionNeeds.couponCodes ?? [];
  const coupons = [
    ...[activity, ...activity.lineItems].map((item) => findCoupon(named, item)),
    ...choosable(named, activity),
    ...codes.flatMap((code) => [named.offerByCode.get(code), named.rewardByCode.get(code)]),
  ];
  return coupons.filter((coupon) => coupon !== undefined);
}
