import { decide } from '../decide/decide';
import type { Evaluator } from '../evaluate/evaluator';
import { noLists } from '../evaluate/resolvedLists';
import type { Decision } from '../language/decision';
import type { EvaluableRules, IncompleteRule } from './evaluableRules';
import { PastTarget } from './pastTarget';
import type { ProcessedActivity } from './processedActivity';
import { SnapshotFacts } from './snapshotFacts';

/** The input for deciding again, besides the activity. */
export interface DecideAgainState {
  evaluator: Evaluator;
  /** The used amounts of counters so far, by hexadecimal id. */
  usage: ReadonlyMap<string, number>;
  /** Gives the rules for the activity, adapted to the facts that are known. */
  rulesOf(past: ProcessedActivity, facts: SnapshotFacts): EvaluableRules;
}

/** The result of deciding a past activity again. */
export interface DecidedAgain {
  decision: Decision;
  target: PastTarget;
  /** Rules that cannot be evaluated completely. */
  incomplete: EvaluableRules['incomplete'];
  /** Those of `incomplete` that might have fired. */
  unsure: readonly IncompleteRule[];
}

/** Decides a past activity again, from its history and fact snapshot. */
export async function decideAgain(past: ProcessedActivity, state: DecideAgainState): Promise<DecidedAgain> {
  const { activity, memberId, program, enriched, now } = past;
  const facts = new SnapshotFacts(past);
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

/** Incomplete rules whose probe fired. A rule of a group also counts when its probe was cut: it might have won. */
function unsureOf({ kept }: Decision, incomplete: EvaluableRules['incomplete']): IncompleteRule[] {
  return kept.flatMap(({ key, fired }) => {
    const unsure = incomplete.get(key);
    return unsure && (fired || unsure.rule.group !== undefined) ? [unsure] : [];
  });
}
