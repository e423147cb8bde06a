import type { EvaluateLevel, Evaluator } from './evaluator';
import { type OutcomeDifference, outcomeDifferences } from './outcomeDifferences';

/** An evaluator, and a reference that checks it for a sample of activities. */
export interface Shadow {
  ours: Evaluator;
  reference: Evaluator;
  /** Decides whether an activity is in the sample; called once for each activity. */
  isSampled(): boolean;
  /** Called for every level that was checked, also without differences. */
  checked(differences: readonly OutcomeDifference[]): void;
}

/** Returns the outcomes of `ours`. For activities in the sample, the reference evaluates each level as well. */
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
