import { counterKeys } from '../format/limits';
import { type DecideAgainState, decideAgain } from './decideAgain';
import type { IncompleteRule } from './evaluableRules';
import type { PastAward, PastUse, ProcessedActivity } from './processedActivity';

/** The result of a past activity under a changed rule set. */
export interface SimulatedAwards {
  /**
   * One entry for every rule that fires; empty when the activity fails. For a rule that cannot be evaluated, the award
   * of the past.
   */
  awards: readonly PastAward[];
  /** Rules that read an unknown value and might have fired. */
  incomplete: readonly IncompleteRule[];
  /** The activity fails under the changed rule set. */
  hasFailed: boolean;
  /** The amounts that it adds to counters of limits and budgets. */
  usage: readonly PastUse[];
}

/** Evaluates a past activity with changed rules, from its history and fact snapshot. */
export async function simulatedAwards(past: ProcessedActivity, state: DecideAgainState): Promise<SimulatedAwards> {
  const { decision, target, incomplete, unsure } = await decideAgain(past, state);
  const fired = decision.kept.flatMap((match) => (match.fired ? [match.key] : []));
  if (unsure.some(({ isDecisive }) => isDecisive)) {
    return { awards: past.awards, incomplete: unsure, hasFailed: false, usage: past.usage };
  }
  if (decision.errors.length > 0) return { awards: [], incomplete: unsure, hasFailed: true, usage: [] };
  const awards = fired
    .filter((key) => !incomplete.has(key))
    .map((key) => ({ key, changes: target.changes.get(key) ?? [] }));
  if (unsure.length === 0) return { awards, incomplete: [], hasFailed: false, usage: decision.usage };
  const carried = carriedOver(past, unsure);
  return {
    awards: [...awards, ...carried.awards],
    incomplete: unsure,
    hasFailed: false,
    usage: [...decision.usage, ...carried.usage],
  };
}

/** The past awards and counter amounts of rules that cannot be evaluated. */
function carriedOver(past: ProcessedActivity, unsure: readonly IncompleteRule[]) {
  const keys = new Set(unsure.map(({ rule }) => rule.key));
  const counters = new Set(
    unsure.flatMap(({ rule }) => counterKeys(rule, past.activity, past).map(({ id }) => id.toHexString())),
  );
  return {
    awards: past.awards.filter(({ key }) => keys.has(key)),
    usage: past.usage.filter(({ id }) => counters.has(id.toHexString())),
  };
}
