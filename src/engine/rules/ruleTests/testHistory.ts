import { ObjectId } from 'bson';
import { addTerm, type LocalDay } from '#base/calendar/localCalendar';
import { type PeriodUnit, periodKey } from '#base/calendar/periods';
import { dayOfText, startOfDay } from '#base/calendar/windows';
import { addToLifetime, lifetimeEnd, lifetimeValue } from '#engine/sums/lifetime';
import type { Activity } from '#records/activities/activity';
import { CounterBook } from '../decide/counterBook';
import type { RuleTest } from '../format/rule';
import type { Decision } from '../language/decision';
import type { MetricSum } from '../language/factParams';
import { instantMs } from '../language/instantMs';
import type { TestMetrics, TestTarget } from './testTarget';
import type { TestLadders } from './testTiers';
import { changeOn, isInWindow, type TestChange } from './testWindows';

/** The id of the member in every test. */
export const testMemberId = new ObjectId('000000000000000000000001');

/** The date of a test's activity, and the time of its processing. */
export interface TestMoment {
  date: Date;
  now: Date;
}

/** The state after the activities of a test so far: the member, its metrics, and the used limits and budgets. */
export class TestHistory {
  member: Readonly<Record<string, unknown>>;
  readonly counters = new CounterBook();
  /** The ladders that rules have moved, by tier policy. */
  ladders: TestLadders = new Map();
  private readonly changes: (TestChange & { metric: string; value: number })[] = [];
  private lifetime: ReturnType<typeof addToLifetime> = [];
  /** The day of the first activity. The sums that the test gives belong to the periods of this day. */
  private firstDay: LocalDay | undefined;

  constructor(
    private readonly test: Pick<RuleTest, 'member' | 'aggregates'>,
    private readonly timezone: string,
  ) {
    this.member = test.member ?? {};
    this.countInitialDays();
  }

  /** Reads the sums of metrics before an activity. */
  sumsAt({ date, now }: TestMoment): Pick<TestMetrics, 'before' | 'contains' | 'lastVisit'> {
    const own = changeOn(date, this.timezone);
    this.firstDay ??= own.day;
    const { firstDay } = this;
    const isIn = ({ period }: MetricSum): ((change: TestChange) => boolean) => {
      if (typeof period !== 'string') return isInWindow(period, { date, timezone: this.timezone, member: this.member });
      return ({ day }) => periodKey(period, day) === periodKey(period, own.day);
    };
    return {
      lastVisit: this.lastVisit(date),
      contains: (sum) => isIn(sum)(own),
      before: (sum) => {
        const { metric, period } = sum;
        const initial =
          typeof period === 'string' && isIn(sum)({ at: date, day: firstDay }) ? this.initialSum(metric, period) : 0;
        if (period === 'lifetime') return initial + lifetimeValue(this.lifetime, metric, now);
        const within = isIn(sum);
        return this.changes
          .filter((change) => change.metric === metric && within(change))
          .reduce((total, { value }) => total + value, initial);
      },
    };
  }

  /** The latest Accrual at or before a date; of an earlier test member, its `lastVisit`. */
  private lastVisit(date: Date): Date | undefined {
    const initial = instantMs(this.test.member?.lastVisit);
    const dates = this.changes.flatMap(({ metric, at }) => (metric === 'visits' ? [at.getTime()] : []));
    const latest = Math.max(...[initial, ...dates].filter((ms) => ms <= date.getTime()));
    return Number.isFinite(latest) ? new Date(latest) : undefined;
  }

  private initialSum(metric: string, period: PeriodUnit): number {
    return this.test.aggregates?.[metric]?.[period] ?? 0;
  }

  /** Records the changes of a processed activity. */
  keep({ type }: Activity, at: TestMoment, target: TestTarget, { usage }: Decision): void {
    this.counters.add(usage);
    for (const counted of target.counts()) this.count(counted, at);
    this.ladders = target.tiers.after(target.counts());
    const accruals = Number(this.member.processedAccruals ?? 0) + (type === 'Accrual' ? 1 : 0);
    this.member = { ...target.memberFacts(), processedAccruals: accruals };
  }

  /** Counts what the test gives by days. */
  private countInitialDays(): void {
    for (const [metric, { days = {} }] of Object.entries(this.test.aggregates ?? {})) {
      for (const [day, value] of Object.entries(days)) {
        const at = startOfDay(dayOfText(day), this.timezone);
        this.count({ metric, value }, { date: at, now: at });
      }
    }
  }

  private count({ metric, value, expires }: ReturnType<TestTarget['counts']>[number], { date, now }: TestMoment): void {
    this.changes.push({ metric, value, ...changeOn(date, this.timezone) });
    const own = expires && addTerm(date, expires.value, expires.unit, this.timezone);
    const ends = own ? { expirationDate: lifetimeEnd(this.lifetime, metric, own, now) } : {};
    this.lifetime = addToLifetime(this.lifetime, [{ metric, value, ...ends }], now, testMemberId);
  }
}
