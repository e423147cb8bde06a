import type { Effect } from '../../rules/effect';
import type { Rule } from '../../rules/rule';
import type { ProcessingError } from '../activityHistory';
import type { LedgerTarget } from '../ledgerTarget';

/** Carries out one effect of a rule on the working state, or answers why it cannot; then the activity fails. */
export type CarryOut<E extends Effect> = (target: LedgerTarget, effect: E, rule: Rule) => ProcessingError | undefined;
