import { counterKeys } from '../format/limits';
import type { CounterUse } from '../language/decision';
import { type DecideAgainState, type DecidedAgain, decideAgain } from './decideAgain';
import type { IncompleteRule } from './evaluableRules';
import { keptAwards } from './keptAwards';
import type { PastAward, PastCoupon, PastUse, ProcessedActivity } from './processedActivity';

/** A rule that reads or does something of which the past does not tell the outcome. */
export interface UnknownOfRule {
  rule: { key: string };
  /** The unknown values in words, such as `member $.birthDate`. */
  missing: readonly string[];
}

/** The result of a past activity under a rule set. */
export interface SimulatedAwards {
  /**
   * One entry for every rule that fires; empty when the activity fails. For a rule that cannot be evaluated, the award
   * of the past. `kept` is what returns leave of each change.
   */
  awards: readonly PastAward[];
  /** The offers and rewards that are applied: the original ones, unless no rule applies them any more. */
  coupons: readonly PastCoupon[];
  /** Rules that read an unknown value and might have fired, and rules whose offer, reward or referral is unknown. */
  incomplete: readonly UnknownOfRule[];
  /** The activity fails under the rule set. */
  hasFailed: boolean;
  /** The amounts that it adds to counters of limits and budgets. */
  usage: readonly PastUse[];
}

/** Evaluates a past activity with a rule set, from its history and fact snapshot. */
export async function simulatedAwards(past: ProcessedActivity, state: DecideAgainState): Promise<SimulatedAwards> {
  const again = await decideAgain(past, state);
  const { decision, target, unsure } = again;
  const { coupons } = past.outcome;
  if (unsure.some(({ isDecisive }) => isDecisive)) {
    return { awards: past.awards, coupons, incomplete: unsure, hasFailed: false, usage: past.usage };
  }
  if (decision.errors.length > 0) {
    return { awards: [], coupons: [], incomplete: unsure, hasFailed: true, usage: [] };
  }
  const carried = carriedOver(past, unsure);
  const unknown = [...target.unknown].map(([key, missing]) => ({ rule: { key }, missing }));
  const carriedKeys = new Set(carried.awards.map(({ key }) => key));
  return {
    awards: [...(await keptAwards(past, again, state)), ...carried.awards],
    coupons: coupons.filter(({ code, rule }) => rule === undefined || target.offers.has(code) || carriedKeys.has(rule)),
    incomplete: [...unsure, ...unknown],
    hasFailed: false,
    usage: [...decision.usage.map(usedBy), ...carried.usage],
  };
}

/** A use of a counter as the history has it. */
function usedBy({ by, ...use }: CounterUse): PastUse {
  return { ...use, rule: by?.rule };
}

/** The past awards and counter amounts of rules that cannot be evaluated. */
function carriedOver(past: ProcessedActivity, unsure: DecidedAgain['unsure']) {
  if (unsure.length === 0) return { awards: [], usage: [] };
  const keys = new Set(unsure.map(({ rule }) => rule.key));
  const counters = new Set(
    unsure.flatMap(({ rule }) => counterKeys(rule, past.activity, past).map(({ id }) => id.toHexString())),
  );
  return {
    awards: past.awards.filter(({ key }) => keys.has(key)),
    usage: past.usage.filter(({ id, rule }) => counters.has(id.toHexString()) || isOneOf(unsure, rule)),
  };
}

function isOneOf(unsure: readonly IncompleteRule[], id: PastUse['rule']): boolean {
  return id !== undefined && unsure.some(({ rule }) => rule._id.equals(id));
}
