import type { StoredEffects } from '../../records/activities/activityHistory';
import type { Returned } from './returning';

type Counters = StoredEffects['counters'];

/** What goes back to counters between two states of the same effects: negative amounts, in their order. */
export function usesReturned(before: Counters, after: Counters): Returned['uses'] {
  return after.map(({ id, returned }, index) => ({ id, amount: (before[index]?.returned ?? 0) - returned }));
}
