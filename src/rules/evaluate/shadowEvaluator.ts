import type { EvaluateLevel, Evaluator } from './evaluator';
import { type OutcomeDifference, outcomeDifferences } from './outcomeDifferences';

/** An evaluator and what checks a sample of its activities. */
export interface Shadow {
  ours: Evaluator;
  reference: Evaluator;
  /** Asked once for each activity. */
  isSampled(): boolean;
  /** Told of every level that was checked, whether there are differences or not. */
  checked(differences: readonly OutcomeDifference[]): void;
}

/** Answers what `ours` answers; of the activities in the sample each level is evaluated by the reference as well. */
export function shadowEvaluator({ ours, reference, isSampled, checked }: Shadow): Evaluator {
  return {
    forActivity: () => {
      const evaluate = ours.forActivity();
      return isSampled() ? checkedBy(reference.forActivity(), evaluate, checked) : evaluate;
    },
  };
}

function checkedBy(reference: EvaluateLevel, ours: EvaluateLevel, checked: Shadow['checked']): EvaluateLevel {
  return async (level, frame) => {
    const outcome = await ours(level, frame);
    checked(outcomeDifferences(level.rules, outcome, await reference(level, frame)));
    return outcome;
  };
}
