import type { StoredEffects } from '../../records/activities/activityHistory';
import type { ReturnOutcome } from './returnInput';

type Counters = StoredEffects['counters'];

/** What goes back to counters between two states of the same effects: negative amounts, in their order. */
export function counterReturns(before: Counters, after: Counters): ReturnOutcome['uses'] {
  return after.map(({ id, returned }, index) => ({ id, amount: (before[index]?.returned ?? 0) - returned }));
}
