import { decide } from '../decide/decide';
import type { Evaluator } from '../evaluate/evaluator';
import { noLists } from '../evaluate/resolvedLists';
import type { Decision } from '../language/decision';
import type { EvaluableRules, IncompleteRule } from './evaluableRules';
import type { PastActivity } from './pastActivity';
import { PastTarget } from './pastTarget';
import { RecalledFacts } from './recalledFacts';

/** What deciding again has besides the activity. */
export interface DecideAgainState {
  evaluator: Evaluator;
  /** What counters have used so far, by hexadecimal id. */
  usage: ReadonlyMap<string, number>;
  /** Gives the rules that the activity can be evaluated by. */
  rulesOf(past: PastActivity, facts: RecalledFacts): EvaluableRules;
}

/** An activity of the past decided again. */
export interface DecidedAgain {
  decision: Decision;
  target: PastTarget;
  /** Rules that cannot be evaluated; those among them that might have fired are `unsure`. */
  incomplete: EvaluableRules['incomplete'];
  unsure: readonly IncompleteRule[];
}

/** Decides an activity of the past again, from the facts that its history kept. */
export async function decideAgain(past: PastActivity, state: DecideAgainState): Promise<DecidedAgain> {
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
  const unsure = incomplete.size === 0 ? [] : unsureOf(decision, incomplete);
  return { decision, target, incomplete, unsure };
}

/** Rules whose probe fired; of a group also those that came too late, as they might have won it. */
function unsureOf({ kept }: Decision, incomplete: EvaluableRules['incomplete']): IncompleteRule[] {
  return kept.flatMap(({ key, fired }) => {
    const unsure = incomplete.get(key);
    return unsure && (fired || unsure.rule.group !== undefined) ? [unsure] : [];
  });
}
