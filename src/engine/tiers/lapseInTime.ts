import { localDay } from '#base/calendar/localCalendar';
import { periodStart } from '#base/calendar/periods';
import { startOfDay } from '#base/calendar/windows';
import { dayMs } from '#base/common/durations';
import type { Ladder } from '#records/members/memberTier';
import type { LadderInput, ValueAt } from './levels';
import { lapseByPeriods } from './periodClaims';
import { openPeriodEnds } from './tierTerms';

/** The longest time by which timers may be late. What was due before counts as due then. */
const lateMaxMs = 400 * dayMs;

/**
 * Lets a ladder lapse as punctual timers would have done: at each due date, by the sums of the periods at that date.
 * @returns the ladder after each of these dates, in order
 */
export function lapseInTime(before: Ladder, valueAt: ValueAt, input: LadderInput): Ladder[] {
  const moves: Ladder[] = [];
  let ladder = before;
  while (ladder.due && ladder.due <= input.now) {
    const now = judgedAt(ladder.due, input.now);
    const next = lapseByPeriods(ladder, valueAt, { ...input, now });
    moves.push(next);
    if (next.due && next.due <= now) break;
    ladder = next;
  }
  return moves;
}

/** A date in each period of the basis that decides what has been due since a date. */
export function judgedDates(due: Date, input: Omit<LadderInput, 'lifetimeValue'>): Date[] {
  const from = judgedAt(due, input.now);
  return [...openPeriodEnds({ ...input, now: from }), ...periodsSince(from, input)];
}

function judgedAt(due: Date, now: Date): Date {
  return new Date(Math.max(due.getTime(), now.getTime() - lateMaxMs));
}

function periodsSince(from: Date, { policy: { basis }, timezone, now }: Omit<LadderInput, 'lifetimeValue'>): Date[] {
  if (!basis || basis.period === 'lifetime') return [];
  const dates = [from];
  for (let date = now; date > from; ) {
    dates.push(date);
    date = new Date(startOfDay(periodStart(basis.period, localDay(date, timezone)), timezone).getTime() - 1);
  }
  return dates;
}
