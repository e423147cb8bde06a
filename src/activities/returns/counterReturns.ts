import { added } from '../../common/added';
import type { ActivityHistory, StoredEffects } from '../../records/activities/activityHistory';
import type { ReturnOutcome } from './returnInput';

type Counters = StoredEffects['counters'];

/** What a return gives back of each use, for the history of the cancellation. `before` and `after` list the same uses. */
export function usesGivenBack(before: Counters, after: Counters): NonNullable<ActivityHistory['usesGivenBack']> {
  return after.flatMap(({ id, rule, returned }, index) => {
    const amount = added(returned, -(before[index]?.returned ?? 0));
    return amount === 0 ? [] : [{ id, ...(rule ? { rule } : {}), amount }];
  });
}

/** The amounts that a return takes from counters, as negative numbers. `before` and `after` list the same counters. */
export function counterReturns(before: Counters, after: Counters): ReturnOutcome['uses'] {
  return after.map(({ id, returned, at }, index) => ({
    id,
    amount: added(before[index]?.returned ?? 0, -returned),
    ...(at === undefined ? {} : { window: { at } }),
  }));
}
