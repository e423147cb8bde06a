import type { Client } from '../../support/client';
import { untilAnswered } from '../../support/untilAnswered';
import { type Period, periodOf } from '../../years/oracle/calendar';
import type { Effect, Operation } from './operations';
import { dailyMax, stormZone } from './rules';

/** An aggregate as clients read it. */
export interface ShownAggregate {
  memberId: string;
  metricName: string;
  metricAggValue: number;
  year?: number;
  halfYear?: number;
  quarter?: number;
  month?: number;
  week?: number;
  day?: number;
}

const paths: Readonly<Record<Period, string>> = {
  day: 'dailyaggregates',
  week: 'weeklyaggregates',
  month: 'monthlyaggregates',
  quarter: 'quarterlyaggregates',
  halfYear: 'halfyearaggregates',
  year: 'yearaggregates',
  lifetime: 'lifetimeaggregates',
};
const periods = Object.keys(paths) as Period[];

/** The aggregates of each period. */
export type Aggregates = Readonly<Record<Period, readonly ShownAggregate[]>>;

/** Lets the service add up all that it has counted, and reads all aggregates. */
export async function readAggregates(admin: Client): Promise<Aggregates> {
  for (const job of ['aggregates', 'periods']) await untilAnswered(() => admin.post(`/jobs/${job}/run`));
  const read = {} as Record<Period, ShownAggregate[]>;
  for (const period of periods) {
    const { body } = await untilAnswered(() => admin.get(`/exports?kind=${paths[period]}&format=ndjson`));
    const lines = String(body ?? '').split('\n');
    read[period] = lines.filter(Boolean).map((line) => JSON.parse(line));
  }
  return read;
}

/** A sum by member, metric and period. */
type Sums = Map<string, number>;

/**
 * What each metric of each member should be in each period, by the dates and the answers of operations.
 * @param bonusOf the points that an activity of the campaign was given: the budget was not enough for all
 */
export function expectedSums(
  operations: readonly Operation[],
  effects: ReadonlyMap<string, Effect>,
  bonusOf: ReadonlyMap<string, number>,
): Sums {
  const sums: Sums = new Map();
  const daily = new Map<string, number>();
  const add = ({ member, date }: Operation, metric: string, value: number) => {
    for (const period of periods) {
      const name = `${member} ${metric} ${periodOf(period, date, stormZone)}`;
      sums.set(name, (sums.get(name) ?? 0) + value);
    }
  };
  const earn = (operation: Operation, purse: string, points: number) => {
    add(operation, 'pointsEarned', points);
    add(operation, `pointsEarned:${purse}`, points);
  };
  for (const operation of operations) {
    const { mark, kind, member, date, value } = operation;
    const effect = effects.get(mark);
    if (!effect?.isApplied || effect.isCancelled) continue;
    if (kind === 'redemption') {
      add(operation, 'pointsRedeemed', value);
      add(operation, 'pointsRedeemed:Points', value);
      continue;
    }
    add(operation, 'spend', value);
    add(operation, 'visits', 1);
    earn(operation, 'Points', value);
    const today = `${member} ${periodOf('day', date, stormZone)}`;
    const before = daily.get(today) ?? 0;
    if (before < dailyMax) earn(operation, 'Daily', 1);
    daily.set(today, before + 1);
    for (const id of effect.ids) earn(operation, 'Bonus', bonusOf.get(id) ?? 0);
  }
  return sums;
}

/** @returns a sentence for each sum of these members that is not as expected, and each that is there twice */
export function aggregateFaults(expected: Sums, shown: Aggregates, members: readonly string[]): string[] {
  const faults: string[] = [];
  const found: Sums = new Map();
  for (const period of periods) {
    for (const each of shown[period]) {
      if (!members.includes(each.memberId)) continue;
      const name = `${each.memberId} ${each.metricName} ${shownPeriod(period, each)}`;
      if (found.has(name)) faults.push(`${name} is there twice`);
      found.set(name, each.metricAggValue);
    }
  }
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [should, is] = [expected.get(name) ?? 0, found.get(name) ?? 0];
    if (should !== is) faults.push(`${name} is ${is} instead of ${should}`);
  }
  return faults;
}

/** The name of a period, as the oracle's calendar has it. */
function shownPeriod(period: Period, { year, halfYear, quarter, month, week, day }: ShownAggregate): string {
  const two = (n: number | undefined) => String(n).padStart(2, '0');
  const names: Readonly<Record<Period, string>> = {
    day: `${year}-${two(month)}-${two(day)}`,
    week: `${year} week ${week}`,
    month: `${year}-${two(month)}`,
    quarter: `${year} quarter ${quarter}`,
    halfYear: `${year} half ${halfYear}`,
    year: `${year}`,
    lifetime: 'always',
  };
  return names[period];
}
