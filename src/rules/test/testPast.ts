import { ObjectId } from 'bson';
import { addToLifetime, lifetimeEnd, lifetimeValue } from '../../aggregates/sums/lifetime';
import { addTerm, type LocalDay, localDay } from '../../calendar/localCalendar';
import { type PeriodUnit, periodKey } from '../../calendar/periods';
import type { Activity } from '../../records/activities/activity';
import type { RuleTest } from '../format/rule';
import type { Decision } from '../language/decision';
import type { TestTarget } from './testTarget';

/** The member of every test. */
export const testMemberId = new ObjectId('000000000000000000000001');

/** When an activity of a test is, and when it is processed. */
export interface TestMoment {
  date: Date;
  now: Date;
}

/** What the activities of a test left behind so far: the member, its sums, and what limits and budgets have used. */
export class TestPast {
  member: Readonly<Record<string, unknown>>;
  /** By hexadecimal counter id. */
  readonly usage = new Map<string, number>();
  private readonly changes: { metric: string; value: number; day: LocalDay }[] = [];
  private lifetime: ReturnType<typeof addToLifetime> = [];
  /** Of the first activity: the sums that the test gives are of its periods. */
  private firstDay: LocalDay | undefined;

  constructor(
    private readonly test: Pick<RuleTest, 'member' | 'aggregates'>,
    private readonly timezone: string,
  ) {
    this.member = test.member ?? {};
  }

  /** Reads the sums of metrics as they are before an activity. */
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

  /** Keeps what an activity did that was processed. */
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
