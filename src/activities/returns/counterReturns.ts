import { addDecimals } from '#base/common/addDecimals';
import { type ActivityHistory, noEffects, type StoredEffects } from '#records/activities/activityHistory';
import type { ReturnScope } from './decideReturnScope';
import type { ReturnOutcome } from './returnInput';

type Counters = StoredEffects['counters'];

/** What a partial return gives back of each use of its original, for the history of the cancellation. */
export function returnedUses(
  { effects: before = noEffects }: ActivityHistory,
  { isWhole }: ReturnScope,
  { counters }: StoredEffects,
): Pick<ActivityHistory, 'usesGivenBack'> {
  if (isWhole) return {};
  const uses = counters.flatMap(({ id, rule, returned }, index) => {
    const amount = addDecimals(returned, -(before.counters[index]?.returned ?? 0));
    return amount === 0 ? [] : [{ id, ...(rule ? { rule } : {}), amount }];
  });
  return { usesGivenBack: uses };
}

/** The amounts that a return takes from counters, as negative numbers. `before` and `after` list the same counters. */
export function counterReturns(before: Counters, after: Counters): ReturnOutcome['uses'] {
  return after.map(({ id, returned, at }, index) => ({
    id,
    amount: addDecimals(before[index]?.returned ?? 0, -returned),
    ...(at === undefined ? {} : { window: { at } }),
  }));
}
