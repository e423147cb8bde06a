import { counterKeys } from '../format/limits';
import { type DecideAgainState, decideAgain } from './decideAgain';
import type { IncompleteRule } from './evaluableRules';
import type { PastActivity, PastAward, PastUse } from './pastActivity';

/** What a changed rule set makes of an activity of the past. */
export interface SimulatedAwards {
  /** Every rule that fires; none when the activity fails. For what cannot be evaluated, what was awarded then. */
  awards: readonly PastAward[];
  /** Rules that look at something unknown and might have fired. */
  incomplete: readonly IncompleteRule[];
  /** The activity fails. */
  hasFailed: boolean;
  /** What it adds to counters of limits and budgets. */
  usage: readonly PastUse[];
}

/** Evaluates an activity of the past anew, from the facts that its history kept. */
export async function simulatedAwards(past: PastActivity, state: DecideAgainState): Promise<SimulatedAwards> {
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

/** What rules that cannot be evaluated did then. */
function carriedOver(past: PastActivity, unsure: readonly IncompleteRule[]) {
  const keys = new Set(unsure.map(({ rule }) => rule.key));
  const counters = new Set(
    unsure.flatMap(({ rule }) => counterKeys(rule, past.activity, past).map(({ id }) => id.toHexString())),
  );
  return {
    awards: past.awards.filter(({ key }) => keys.has(key)),
    usage: past.usage.filter(({ id }) => counters.has(id.toHexString())),
  };
}
