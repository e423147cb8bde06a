import type { Decision } from '../language/decision';
import { ActivityFacts } from './activityFacts';
import type { DecideInput } from './decideInput';
import { decideLevel, passOver } from './decideLevel';
import { DecisionState } from './decisionState';
import { evaluateStage, readFacts, stageOf } from './levelStage';

/**
 * Evaluates the rules of an activity and hands their effects to the target, level by level of priority.
 * Rules of one level see the same facts; those of the next see what these did. After an error that the activity
 * cannot survive (a reject, a limit that rejects, an effect the target refuses) nothing more is evaluated; a rule that
 * fails to evaluate (2900) fails the activity too, but the others still run and are reported.
 */
export async function decide(input: DecideInput): Promise<Decision> {
  const { levels } = input.rules.forActivity(input.program._id, input.activity.type);
  const facts = new ActivityFacts(input);
  const evaluate = input.evaluator.forActivity();
  const state = new DecisionState();
  for (const level of levels) {
    const stage = stageOf(level, input, facts);
    if (state.isOver) {
      passOver(stage, state);
      continue;
    }
    readFacts(stage);
    // Only a promise is awaited: the compiled evaluator answers at once, and a turn for each level would cost more.
    const outcome = evaluateStage(stage, evaluate);
    decideLevel(stage, outcome instanceof Promise ? await outcome : outcome, input, state);
  }
  return state.decision();
}
