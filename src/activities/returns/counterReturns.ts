import { added } from '../../common/added';
import type { StoredEffects } from '../../records/activities/activityHistory';
import type { ReturnOutcome } from './returnInput';

type Counters = StoredEffects['counters'];

/** The amounts that a return takes from counters, as negative numbers. `before` and `after` list the same counters. */
export function counterReturns(before: Counters, after: Counters): ReturnOutcome['uses'] {
  return after.map(({ id, returned, at }, index) => ({
    id,
    amount: added(before[index]?.returned ?? 0, -returned),
    ...(at === undefined ? {} : { window: { at } }),
  }));
}
