import { decide } from '../decide/decide';
import type { DecideInput } from '../decide/decideInput';
import type { Evaluator } from '../evaluate/evaluator';
import { noLists } from '../evaluate/resolvedLists';
import type { Rule } from '../format/rule';
import type { Decision } from '../language/decision';
import type { EvaluableRules, IncompleteRule } from './evaluableRules';
import { PastTarget } from './pastTarget';
import type { ProcessedActivity } from './processedActivity';
import { SnapshotFacts } from './snapshotFacts';

/** The input for deciding again, in addition to the activity. */
export interface DecideAgainState {
  evaluator: Evaluator;
  /** The used amounts of counters so far, by hexadecimal id. */
  usage: ReadonlyMap<string, number>;
  /** The uses of limits by windows so far, by hexadecimal id. */
  windows?: DecideInput['windows'];
  /** Gives the rules for the activity, adapted to the facts that are known. */
  rulesOf(past: ProcessedActivity, facts: SnapshotFacts): EvaluableRules;
}

/** The result of deciding a past activity again. */
export interface DecidedAgain {
  decision: Decision;
  target: PastTarget;
  /** The rules that were evaluated. */
  rules: readonly Rule[];
  /** Rules that cannot be evaluated completely. */
  incomplete: EvaluableRules['incomplete'];
  /** Those of `incomplete` that might have fired. */
  unsure: readonly IncompleteRule[];
}

/** Decides a past activity again, from its history and fact snapshot. */
export async function decideAgain(past: ProcessedActivity, state: DecideAgainState): Promise<DecidedAgain> {
  const { activity, memberId, program, enriched, now, subjects } = past;
  const facts = new SnapshotFacts(past);
  const { rules, incomplete } = state.rulesOf(past, facts);
  let priority = 0;
  const target = new PastTarget(past, facts, () => priority);
  const decision = await decide({
    rules,
    activity,
    memberId,
    program,
    enriched,
    now,
    target,
    subjects,
    lists: noLists,
    usage: state.usage,
    windows: state.windows,
    evaluator: state.evaluator,
    recall: (live, at) => {
      priority = at.priority;
      return facts.recall(live, at);
    },
  });
  const unsure = incomplete.size === 0 ? [] : uncertainRules(decision, incomplete);
  const evaluated = rules.forActivity(program._id, activity.type).rules;
  return { decision, target, rules: evaluated, incomplete, unsure };
}

/** Incomplete rules whose probe fired. A probe has neither a group nor limits, so it loses to no other rule. */
function uncertainRules({ kept }: Decision, incomplete: EvaluableRules['incomplete']): IncompleteRule[] {
  return kept.flatMap(({ key, fired }) => {
    const unsure = incomplete.get(key);
    return unsure && fired ? [unsure] : [];
  });
}
