import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { nextPeriodStart, periodStart } from '#base/calendar/periods';
import { textOfDay } from '#base/calendar/windows';
import { ComparedSums, withDifference } from './comparedSums';
import type { ProcessedActivity } from './processedActivity';
import { rowsMax, type SimulationResult } from './simulationResult';

/** Most days, weeks and months that a result has. */
const periodsMax = 400;

const units = ['day', 'week', 'month', 'year'] as const;

type Unit = (typeof units)[number];

/**
 * Adds up points before and after by the day of the activity in the zone of its program. Where there are too many days
 * it is by weeks, then by months, then by years. The sums of all four are kept at once, each until it has too many, so
 * the memory has a bound and every sum is exact.
 */
export class SimulatedDays {
  private readonly sums = new Map<Unit, ComparedSums>(units.map((unit) => [unit, new ComparedSums()]));
  private first: LocalDay | undefined;
  private last: LocalDay | undefined;

  /** Adds the points of an activity. */
  add(
    { activity, program }: Pick<ProcessedActivity, 'activity' | 'program'>,
    points: Record<'before' | 'after', number>,
  ) {
    const day = localDay(activity.date, program.timezone);
    if (!this.first || day < this.first) this.first = day;
    if (!this.last || day > this.last) this.last = day;
    for (const [unit, sums] of this.sums) {
      sums.add(textOfDay(periodStart(unit, day)), points);
      if (unit !== 'year' && sums.size > periodsMax) this.sums.delete(unit);
    }
  }

  /** All periods from the first activity to the last, also those without points. */
  rows(): NonNullable<SimulationResult['byTime']> {
    const { first, last } = this;
    if (!first || !last) return { unit: 'day', periods: [] };
    for (const [unit, sums] of this.sums) {
      const starts = startsFromTo(unit, first, last);
      if (unit !== 'year' && starts.length > periodsMax) continue;
      const known = new Map(sums.entries());
      const none = withDifference({ before: 0, after: 0 });
      return { unit, periods: starts.map((from) => ({ from, ...(known.get(from) ?? none) })) };
    }
    return { unit: 'year', periods: [] };
  }
}

/** The first days of the periods from one day to another; as many as tell that there are too many. */
function startsFromTo(unit: Unit, first: LocalDay, last: LocalDay): string[] {
  const most = unit === 'year' ? rowsMax : periodsMax + 1;
  const starts: string[] = [];
  for (let day = periodStart(unit, first); day <= last && starts.length < most; day = nextPeriodStart(unit, day)) {
    starts.push(textOfDay(day));
  }
  return starts;
}
