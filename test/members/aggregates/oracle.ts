import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { MetricEntry } from '#records/aggregates/metricEvents';

/** The key of a document in each collection, computed by counting days instead of by the service's calendar table. */
const keys: Record<string, (day: Date) => string> = {
  dailyaggregates: (day) => day.toISOString().slice(0, 10),
  weeklyaggregates: (day) => `${day.getUTCFullYear()} week ${weekByCounting(day)}`,
  monthlyaggregates: (day) => day.toISOString().slice(0, 7),
  quarterlyaggregates: (day) =>
    `${day.getUTCFullYear()} quarter ${['1', '2', '3', '4'][Math.floor(day.getUTCMonth() / 3)]}`,
  halfyearaggregates: (day) => `${day.getUTCFullYear()} half ${day.getUTCMonth() < 6 ? 1 : 2}`,
  yearaggregates: (day) => `${day.getUTCFullYear()}`,
};

/** The sums that the collections must have after the roll-up: by collection, then by `member metric period`. */
export function expectedSums(entries: MetricEntry[]): Record<string, Record<string, number>> {
  return mapKeys((keyOf) => {
    const sums: Record<string, number> = {};
    for (const { member, metric, value, day } of entries) {
      const key = `${member} ${metric} ${keyOf(day)}`;
      sums[key] = (sums[key] ?? 0) + value;
    }
    return sums;
  });
}

/** The sums that the collections have, of one org or of all. */
export async function storedSums(db: Connection, org?: ObjectId): Promise<Record<string, Record<string, number>>> {
  const names = Object.keys(keys);
  const stored = await Promise.all(
    names.map((name) =>
      db
        .collection(name)
        .find(org ? { org } : {})
        .toArray(),
    ),
  );
  return Object.fromEntries(
    names.map((name, index) => [
      name,
      Object.fromEntries(
        (stored[index] ?? []).map((row) => [`${row.memberId} ${row.metricName} ${placeOf(row)}`, row.metricAggValue]),
      ),
    ]),
  );
}

function placeOf({ day, week, month, quarter, halfYear, year }: Record<string, unknown>): string {
  const two = (value: unknown) => String(value).padStart(2, '0');
  if (day) return `${year}-${two(month)}-${two(day)}`;
  if (week) return `${year} week ${week}`;
  if (month) return `${year}-${two(month)}`;
  if (quarter) return `${year} quarter ${quarter}`;
  return halfYear ? `${year} half ${halfYear}` : `${year}`;
}

function weekByCounting(day: Date): number {
  let week = 1;
  for (let date = 2; Date.UTC(day.getUTCFullYear(), 0, date) <= day.getTime(); date += 1) {
    if (new Date(Date.UTC(day.getUTCFullYear(), 0, date)).getUTCDay() === 0) week += 1;
  }
  return week;
}

function mapKeys<T>(make: (keyOf: (day: Date) => string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(keys).map(([name, keyOf]) => [name, make(keyOf)]));
}
