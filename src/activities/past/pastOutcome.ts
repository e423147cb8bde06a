import type { ObjectId } from 'bson';
import { pushTo } from '#base/common/lists/groupBy';
import { listMax } from '#engine/rules/actions/list';
import type { Rule } from '#engine/rules/format/rule';
import type { PastAward, PastCoupon, PastOutcome, PurseChange } from '#engine/rules/simulate/processedActivity';
import { type ActivityHistory, noEffects, type StoredEffects } from '#records/activities/activityHistory';

/** Names of purses, by the hexadecimal id of the purse policy. */
export type PurseNames = ReadonlyMap<string, string>;

type Movement = StoredEffects['accrued' | 'burned' | 'debts'][number];

/** The changes that each rule that fired made, in all members and purses, from the stored effects of the activity. */
export function pastAwards(history: ActivityHistory, purseNames: PurseNames): PastAward[] {
  if (history.status === 'Error') return [];
  const changes = changesBy(history, purseNames, ({ rule }) => rule?.toHexString());
  return history.ruleMatch.flatMap(({ key, rule, fired }) =>
    fired === true && typeof key === 'string' ? [{ key, changes: changes.get(String(rule)) ?? [] }] : [],
  );
}

/** The outcome of the offers, rewards, referrals and transfers of the activity. */
export function pastOutcome(history: ActivityHistory, rules: readonly Rule[], purseNames: PurseNames): PastOutcome {
  const { effects = noEffects, ruleMatch, memberID } = history;
  const fired = new Set(ruleMatch.flatMap(({ key, fired: isFired }) => (isFired === true ? [key] : [])));
  const actions = rules.filter(({ key }) => fired.has(key)).flatMap((rule) => rule.actions);
  const [referral] = effects.referrals ?? [];
  const isTried = actions.some(({ type }) => type === 'completeReferral');
  const isShared = actions.some((action) => action.type === 'addPoints' && action.pool);
  const head = effects.accrued.find(({ pooled }) => pooled)?.member;
  return {
    coupons: pastCoupons(history, purseNames),
    offers: new Set(actions.flatMap((action) => (action.type === 'applyOffer' ? [action.offer] : []))),
    rewards: new Set(actions.flatMap((action) => (action.type === 'issueReward' ? [action.reward] : []))),
    costs: costsByRule(history, rules, purseNames),
    referral: referral ? { referrer: referral.referrer } : isTried ? 'none' : undefined,
    familyHead: head ?? (isShared ? 'none' : undefined),
    receiver: effects.accrued.find(({ moved, member }) => moved && !member.equals(memberID))?.member,
  };
}

/** The changes of the activity by a key; movements without a key are left out. */
function changesBy(
  { memberID, effects = noEffects }: ActivityHistory,
  purseNames: PurseNames,
  keyOf: (part: Movement) => string | undefined,
): Map<string, PurseChange[]> {
  const changes = new Map<string, PurseChange[]>();
  for (const part of [...effects.accrued, ...effects.burned, ...effects.debts]) {
    const key = keyOf(part);
    if (key === undefined) continue;
    pushTo(changes, key, purseChange(part, purseNames, memberID));
  }
  return changes;
}

function purseChange(part: Movement, purseNames: PurseNames, own: ObjectId): PurseChange {
  const { purse, member, points } = part;
  const name = purseNames.get(purse.toHexString()) ?? purse.toHexString();
  const other = member.equals(own) ? {} : { member };
  if ('returned' in part) return { purse: name, points, kept: points - part.returned, ...other };
  return { purse: name, points: -points, kept: part.restored - points, ...other };
}

/**
 * The offers and rewards that were applied. Their points name no rule, only the position of the coupon among the
 * requested ones. A coupon without effect is not stored, so the movements are matched in order.
 */
function pastCoupons(history: ActivityHistory, purseNames: PurseNames): PastCoupon[] {
  const { bestOffers, couponCode, lineItems, ruleMatch } = history;
  const sent = new Set([couponCode, ...lineItems.map((line) => line.couponCode)]);
  const keys = new Map(ruleMatch.map(({ rule, key }) => [String(rule), String(key)]));
  // The cost of a reward that the member chose is neither a rule's nor a coupon's.
  const isNotOfCoupon = (part: Movement) => part.rule !== undefined || ('issued' in part && part.issued !== undefined);
  const byPlace = changesBy(history, purseNames, (part) => (isNotOfCoupon(part) ? undefined : String(part.n ?? 0)));
  const unassigned = [...byPlace].sort(([a], [b]) => Number(a) - Number(b)).map(([, changes]) => changes);
  const coupons = (Array.isArray(bestOffers) ? bestOffers : []).map(({ code, rule, points }): PastCoupon => {
    const isNext = unassigned[0]?.some((change) => change.points > 0) === points > 0;
    const by = sent.has(code) ? undefined : keys.get(String(rule));
    return { code: String(code), rule: by, changes: (isNext && unassigned.shift()) || [] };
  });
  return unassigned.length === 0 ? coupons : [...coupons, { code: '', rule: undefined, changes: unassigned.flat() }];
}

/** The costs of the rewards that rules issued, by code of the reward. */
function costsByRule(
  history: ActivityHistory,
  rules: readonly Rule[],
  purseNames: PurseNames,
): Map<string, PurseChange[]> {
  const byId = new Map(rules.map((rule) => [rule._id.toHexString(), rule]));
  return changesBy(history, purseNames, (part) => {
    if (!('issued' in part) || !part.issued || !part.rule) return undefined;
    const action = byId.get(part.rule.toHexString())?.actions[(part.n ?? 0) % listMax];
    return action?.type === 'issueReward' ? action.reward : undefined;
  });
}
