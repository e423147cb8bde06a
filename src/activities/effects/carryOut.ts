import type { ProcessingError } from '../../records/activities/activityHistory';
import type { Rule } from '../../rules/format/rule';
import type { Effect } from '../../rules/language/effect';
import type { LedgerTarget } from '../state/ledgerTarget';

/** Carries out one effect of a rule on the working state, or answers why it cannot; then the activity fails. */
export type CarryOut<E extends Effect> = (target: LedgerTarget, effect: E, rule: Rule) => ProcessingError | undefined;
