import { decide } from './decide';
import type { Decision } from './decision';
import type { EvaluableRules, IncompleteRule } from './evaluableRules';
import type { Evaluator } from './evaluate';
import { counterKeys } from './limits';
import type { PastActivity, PastAward, PastUse } from './pastActivity';
import { PastTarget } from './pastTarget';
import { RecalledFacts } from './recalledFacts';
import { noLists } from './resolvedLists';

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

/** What simulating has besides the activity. */
export interface SimulationState {
  evaluator: Evaluator;
  /** What counters have used so far, by hexadecimal id. */
  usage: ReadonlyMap<string, number>;
  /** Gives the rules that the activity can be evaluated by. */
  rulesOf(past: PastActivity, facts: RecalledFacts): EvaluableRules;
}

/** Evaluates an activity of the past anew, from the facts that its history kept. */
export async function simulatedAwards(past: PastActivity, state: SimulationState): Promise<SimulatedAwards> {
  const { activity, memberId, program, enriched, now } = past;
  const facts = new RecalledFacts(past);
  const { rules, incomplete } = state.rulesOf(past, facts);
  let priority = 0;
  const target = new PastTarget(facts, () => priority);
  const decision = await decide({
    ...{ rules, activity, memberId, program, enriched, now, target },
    ...{ lists: noLists, usage: state.usage, evaluator: state.evaluator },
    recall: (live, at) => {
      priority = at.priority;
      return facts.recall(live, at);
    },
  });
  const fired = decision.kept.flatMap((match) => (match.fired ? [match.key] : []));
  const unsure = incomplete.size === 0 ? [] : unsureOf(decision, incomplete);
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

/** Rules whose probe fired; of a group also those that came too late, as they might have won it. */
function unsureOf({ kept }: Decision, incomplete: EvaluableRules['incomplete']): IncompleteRule[] {
  return kept.flatMap(({ key, fired }) => {
    const unsure = incomplete.get(key);
    return unsure && (fired || unsure.rule.group !== undefined) ? [unsure] : [];
  });
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
