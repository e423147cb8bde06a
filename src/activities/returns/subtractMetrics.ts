import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import { localDay } from '#base/calendar/localCalendar';
import { endOfReturned } from '#engine/sums/lifetime';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { ReturnInput } from './returnInput';

/** Subtracts the returned amount from each metric, on the day of the original. */
export function subtractMetrics(
  context: BatchContext,
  { original, state, changes }: Pick<ReturnInput, 'original' | 'state' | 'changes'>,
  metrics: StoredEffects['metrics'],
): void {
  const day = localDay(original.date, state.program.timezone);
  for (const [index, { metric, returned = 0, member, expirationDate }] of metrics.entries()) {
    const value = (original.effects?.metrics[index]?.returned ?? 0) - returned;
    if (value === 0) continue;
    const owner = (member && survivingState(context, member.toHexString())) ?? state;
    // The value must leave the same lifetime aggregate that it was added to, even if that has ended.
    const end = expirationDate ?? endOfReturned(owner.aggregates, metric, context.now);
    const ends = end ? { expirationDate: end } : {};
    const entry = { member: owner.doc._id, metric, day, at: original.date, value, ...ends, isReturn: true as const };
    if (owner === state) changes.metrics.push(entry);
    else changes.others.open(owner).metrics.push(entry);
  }
}
