import type { FailedCondition } from '../language/decision';
import type { FactFrame } from './factFrame';

/** A condition as closures; the same for every activity. */
export interface CompiledCondition {
  /** Whether it holds, when nothing in it can throw: evaluates no more than that takes. */
  readonly test: (frame: FactFrame) => boolean;
  /** Whether it holds; throws whenever json-rules-engine does, which evaluates all conditions of one priority. */
  readonly strict: (frame: FactFrame) => boolean;
  /** Some comparison in it may throw although its facts can be read. */
  readonly mayThrow: boolean;
  /** The comparison that made the outcome what it is, the first in the order of the file (see `failedCondition`). */
  readonly explain: (frame: FactFrame, outcome: boolean) => FailedCondition | undefined;
}
