import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { type PeriodUnit, periodKey } from '#base/calendar/periods';
import { dayOfText, startOfDay } from '#base/calendar/windows';
import { groupBy } from '#base/common/lists/groupBy';
import type { RuleTest } from '#engine/rules/format/rule';
import type { MetricSum } from '#engine/rules/language/factParams';
import { addToLifetime } from '#engine/sums/lifetime';
import { type MetricSums, sumKey } from '#engine/sums/metricSums';
import { spanKey, type WindowValues } from '#engine/sums/windowSums';
import { sumDates } from '#engine/tiers/sumDates';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { RunningTotal } from '#records/aggregates/runningTotals';
import type { Member } from '#records/members/member';
import type { TierPolicy } from '#records/programs/tierPolicy';

/** The metrics of the member of a scenario: what the test gives, and what the steps counted. */
export class ScenarioSums {
  private readonly entries: MetricEntry[] = [];
  /** The sums that the test gives belong to the periods of this day. */
  private readonly firstDay: LocalDay;

  constructor(
    private readonly initial: NonNullable<RuleTest['aggregates']>,
    private readonly member: ObjectId,
    private readonly timezone: string,
    start: Date,
  ) {
    this.firstDay = localDay(start, timezone);
    for (const [metric, { days = {} }] of Object.entries(initial)) {
      for (const [text, value] of Object.entries(days)) {
        const day = dayOfText(text);
        this.entries.push({ member, metric, value, day, at: startOfDay(day, timezone) });
      }
    }
  }

  /** The lifetime aggregates of the member before the first step. */
  lifetimeAt(start: Date): Member['aggregates'] {
    const sums = Object.entries(this.initial).map(([metric, { lifetime = 0 }]) => ({ metric, value: lifetime }));
    return addToLifetime([], [...sums, ...this.entries], start, this.member);
  }

  add(entries: readonly MetricEntry[]): void {
    this.entries.push(...entries.filter(({ member }) => member.equals(this.member)));
  }

  /** The sums that rules may ask for at a date. */
  sumsFor(needs: readonly MetricSum[], date: Date): MetricSums {
    const day = localDay(date, this.timezone);
    return new Map(
      needs.flatMap(({ metric, period }) => {
        if (typeof period !== 'string' || period === 'lifetime') return [];
        return [[sumKey({ member: this.member, metric, period, day }), this.sumOf(metric, period, day)] as const];
      }),
    );
  }

  /** The values from which windows are added up. `visits` are the dates of the Accruals that are effective. */
  windows(visits: readonly Date[]): WindowValues {
    const days = groupBy(this.entries, ({ metric }) => spanKey({ member: this.member, metric }));
    const timed = new Map([...days].map(([key, list]) => [key, list.flatMap(timedValue)] as const));
    return { days, timed, visits: new Map([[this.member.toHexString(), visits]]) };
  }

  /** The running totals on which tiers depend, also for a cancellation and for an activity of these dates. */
  ofTiers(
    policies: readonly TierPolicy[],
    member: Pick<Member, 'ladders' | 'enrolledAt'>,
    { now, dates }: { now: Date; dates: readonly Date[] },
  ): RunningTotal[] {
    const { timezone } = this;
    const totals = new Map<string, RunningTotal>();
    for (const policy of policies) {
      const { basis } = policy;
      if (!basis || basis.period === 'lifetime') continue;
      const { metric, period } = basis;
      for (const date of sumDates(member, policy, { timezone, now, dates, isCancelling: true })) {
        const day = localDay(date, timezone);
        const key = periodKey(period, day);
        totals.set(`${metric} ${key}`, { metric, period, key, value: this.sumOf(metric, period, day) });
      }
    }
    return [...totals.values()];
  }

  private sumOf(metric: string, period: PeriodUnit, day: LocalDay): number {
    const key = periodKey(period, day);
    const initialValue = periodKey(period, this.firstDay) === key ? (this.initial[metric]?.[period] ?? 0) : 0;
    return this.entries
      .filter((entry) => entry.metric === metric && periodKey(period, entry.day) === key)
      .reduce((sum, { value }) => sum + value, initialValue);
  }
}

function timedValue({ at, value }: MetricEntry): { at: Date; value: number }[] {
  return at ? [{ at, value }] : [];
}
