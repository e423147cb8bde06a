import { ObjectId } from 'bson';
import { addToLifetime, lifetimeEnd, lifetimeValue } from '../../aggregates/sums/lifetime';
import { addTerm, type LocalDay, localDay } from '../../calendar/localCalendar';
import { type PeriodUnit, periodKey } from '../../calendar/periods';
import type { Activity } from '../../records/activities/activity';
import type { RuleTest } from '../format/rule';
import type { Decision } from '../language/decision';
import type { TestTarget } from './testTarget';

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
  /** Used amounts of counters, by hexadecimal id. */
  readonly usage = new Map<string, number>();
  private readonly changes: { metric: string; value: number; day: LocalDay }[] = [];
  private lifetime: ReturnType<typeof addToLifetime> = [];
  /** The day of the first activity. The sums that the test gives belong to the periods of this day. */
  private firstDay: LocalDay | undefined;

  constructor(
    private readonly test: Pick<RuleTest, 'member' | 'aggregates'>,
    private readonly timezone: string,
  ) {
    this.member = test.member ?? {};
  }

  /** Gives a function that reads the sums of metrics before an activity. */
  sumsAt({ date, now }: TestMoment): (metric: string, period: PeriodUnit) => number {
    const day = localDay(date, this.timezone);
    this.firstDay ??= day;
    const { firstDay } = this;
    return (metric, period) => {
      const isGiven = periodKey(period, day) === periodKey(period, firstDay);
      const given = isGiven ? (this.test.aggregates?.[metric]?.[period] ?? 0) : 0;
      if (period === 'lifetime') return given + lifetimeValue(this.lifetime, metric, now);
      return this.changes
        .filter((change) => change.metric === metric && periodKey(period, change.day) === periodKey(period, day))
        .reduce((sum, { value }) => sum + value, given);
    };
  }

  /** Records the changes of a processed activity. */
  keep({ type }: Activity, at: TestMoment, target: TestTarget, { usage }: Decision): void {
    for (const { id, amount } of usage) {
      const key = id.toHexString();
      this.usage.set(key, (this.usage.get(key) ?? 0) + amount);
    }
    for (const counted of target.counts()) this.count(counted, at);
    const accruals = Number(this.member.processedAccruals ?? 0) + (type === 'Accrual' ? 1 : 0);
    this.member = { ...target.memberFacts(), processedAccruals: accruals };
  }

  private count({ metric, value, expires }: ReturnType<TestTarget['counts']>[number], { date, now }: TestMoment): void {
    this.changes.push({ metric, value, day: localDay(date, this.timezone) });
    const own = expires && addTerm(date, expires.value, expires.unit, this.timezone);
    const ends = own ? { expirationDate: lifetimeEnd(this.lifetime, metric, own, now) } : {};
    this.lifetime = addToLifetime(this.lifetime, [{ metric, value, ...ends }], now, testMemberId);
  }
}
