import type { FailedCondition } from '../language/decision';
import type { FactFrame } from './factFrame';

/** A condition compiled to closures, which are used for every activity. */
export interface CompiledCondition {
  /** Evaluates the condition and stops as soon as the outcome is certain. For conditions that cannot throw. */
  readonly test: (frame: FactFrame) => boolean;
  /** Evaluates all conditions of one priority, like json-rules-engine, so that it throws whenever the engine does. */
  readonly strict: (frame: FactFrame) => boolean;
  /** Some comparison in it may throw even if its facts can be read. */
  readonly mayThrow: boolean;
  /** The first comparison in the order of the file that caused this outcome (see `failedCondition`). */
  readonly explain: (frame: FactFrame, outcome: boolean) => FailedCondition | undefined;
}
