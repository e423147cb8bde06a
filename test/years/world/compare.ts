import { periodOf } from '../oracle/calendar';
import type { Lot, Purse } from '../oracle/ledger';
import { type OracleMember, settle, sumsOf } from '../oracle/member';
import { held } from '../oracle/tiers';
import type { MovedFleet } from './fleet';
import type { WorldProgram } from './program';

/** Counts comparisons and keeps the differences. */
export interface Comparison {
  count: number;
  differences: string[];
  /** What was done, for who looks into a difference. */
  acts: string[];
  equal(what: string, is: unknown, expected: unknown): void;
}

export function newComparison(): Comparison {
  const comparison: Comparison = {
    count: 0,
    differences: [],
    acts: [],
    equal(what, is, expected) {
      comparison.count += 1;
      if (!Object.is(is, expected)) comparison.differences.push(`${what}: ${is}, expected ${expected}`);
    },
  };
  return comparison;
}

/** What is compared, and when. */
export interface Compared {
  fleet: MovedFleet;
  program: WorldProgram;
  compare: Comparison;
  now: number;
}

const momentOf = (text: string | undefined | null) => (text ? Date.parse(text) : undefined);

/** Compares purses and lots of a member. */
export async function compareLedger({ fleet, program, compare, now }: Compared, member: OracleMember): Promise<void> {
  settle(member, now);
  const { body } = await fleet.client().get(`/members/${member.id}/purses`);
  for (const [name, purse] of member.purses) {
    const shown = body.find((each: { name: string }) => each.name === name);
    const where = `${member.loyaltyID} ${name}`;
    for (const [field, expected] of Object.entries(sumsOf(purse))) {
      compare.equal(`${where} ${field}`, shown?.[field], expected);
    }
    compare.equal(`${where} inactiveOn`, momentOf(shown?.inactiveOn), purse.inactiveAt);
    compareNext(compare, where, shown, purse);
  }
  await compareLots({ fleet, program, compare, now }, member);
  await compareMember({ fleet, program, compare, now }, member);
}

function compareNext(
  compare: Comparison,
  where: string,
  shown: { nextEscrow: { date: string; points: number } | null } | undefined,
  { lots }: Purse,
): void {
  const held = lots.filter(({ escrow }) => escrow > 0);
  const date = held.length > 0 ? Math.min(...held.map(({ escrowsAt }) => escrowsAt)) : undefined;
  const points = held.filter(({ escrowsAt }) => escrowsAt === date).reduce((sum, { escrow }) => sum + escrow, 0);
  compare.equal(`${where} nextEscrow`, momentOf(shown?.nextEscrow?.date), date);
  compare.equal(`${where} points of nextEscrow`, shown?.nextEscrow?.points ?? 0, points);
}

async function compareLots({ fleet, program, compare }: Compared, member: OracleMember): Promise<void> {
  const items = new Map<string, Record<string, never>>();
  for (let skip = 0, more = true; more; skip += 1000) {
    const { body } = await fleet.client().get(`/accrualitems?member=${member.id}&limit=1000&skip=${skip}`);
    for (const item of body) items.set(item._id, item);
    more = body.length === 1000;
  }
  const lots = [...member.purses].flatMap(([name, purse]) => purse.lots.map((lot) => ({ name, lot })));
  compare.equal(`lots of ${member.loyaltyID}`, items.size, lots.length);
  for (const { name, lot } of lots) {
    const item = items.get(lot.id ?? '');
    for (const [field, expected] of Object.entries(fieldsOf(lot))) {
      const value: unknown = item?.[field];
      const is = field.startsWith('dt') ? momentOf(value as string) : (value ?? undefined);
      compare.equal(`${member.loyaltyID} lot ${lot.id} in ${name} ${field}`, is, expected);
    }
    compare.equal(`lot ${lot.id} purse`, item?.purse, program.purseIds.get(name));
  }
}

function fieldsOf(lot: Lot) {
  return {
    accruedPoints: lot.accrued,
    escrowedPoints: lot.escrow,
    availablePoints: lot.available,
    burnedPoints: lot.burned,
    expiredPoints: lot.expired,
    reversedPoints: lot.reversed,
    dtEarned: lot.earnedAt,
    dtEscrowsOn: lot.escrowsAt,
    dtExpiresOn: lot.expiresAt,
    hasExpired: lot.expired > 0,
    hasBurned: lot.burned > 0 && lot.escrow + lot.available === 0,
    activity: lot.activity,
  };
}

async function compareMember({ fleet, program, compare }: Compared, member: OracleMember): Promise<void> {
  const { body } = await fleet.client().get(`/members/${member.id}`);
  compare.equal(`${member.loyaltyID} familyHead`, body.familyHead ?? undefined, member.head?.id);
  compare.equal(`${member.loyaltyID} referredBy`, body.referredBy ?? undefined, member.referredBy?.id);
  const shownReferrals: string[] = body.referrals.map(
    (each: Record<string, string>) => `${each.referred} ${each.status}`,
  );
  const own = program.referrals.filter(({ by }) => by === member).map(({ of, status }) => `${of.id} ${status}`);
  compare.equal(`${member.loyaltyID} referrals`, shownReferrals.sort().join(', '), own.sort().join(', '));
  for (const tier of member.tiers) {
    const { policy } = tier;
    const shown = body.tiers.find(({ name }: { name: string }) => name === policy.name);
    const top = held(tier);
    const where = `${member.loyaltyID} ${policy.name}`;
    compare.equal(`${where} level`, shown?.level.name, top && policy.levels[top.level]?.name);
    compare.equal(`${where} since`, momentOf(shown?.since), top?.since);
    compare.equal(`${where} expiresOn`, momentOf(shown?.expiresOn), top?.expiresAt);
  }
}

const larger = {
  weeklyaggregates: 'week',
  monthlyaggregates: 'month',
  quarterlyaggregates: 'quarter',
  halfyearaggregates: 'halfYear',
  yearaggregates: 'year',
} as const;

/** Compares all aggregates of a member, days to a lifetime. */
export async function compareAggregates({ fleet, compare }: Compared, member: OracleMember): Promise<void> {
  const read = async (path: string): Promise<Record<string, number>[]> => {
    const query = encodeURIComponent(JSON.stringify({ memberId: member.id }));
    const all = [];
    for (let skip = 0, more = true; more; skip += 1000) {
      const { body } = await fleet.client().get(`/${path}?query=${query}&limit=1000&skip=${skip}`);
      all.push(...body);
      more = body.length === 1000;
    }
    return all;
  };
  const paths = { dailyaggregates: 'day', ...larger } as const;
  for (const [path, period] of Object.entries(paths)) {
    const shown = new Map<string, number>();
    for (const each of await read(path)) {
      const name = `${each.metricName} ${nameOf(period, each)}`;
      shown.set(name, (shown.get(name) ?? 0) + (each.metricAggValue ?? 0));
    }
    const expected = new Map<string, number>();
    for (const [metric, days] of member.metrics) {
      for (const [day, value] of days) {
        const name = `${metric} ${periodOf(period, Date.parse(`${day}T12:00:00Z`), 'UTC')}`;
        expected.set(name, (expected.get(name) ?? 0) + value);
      }
    }
    for (const name of new Set([...shown.keys(), ...expected.keys()])) {
      compare.equal(`${member.loyaltyID} ${period} ${name}`, shown.get(name) ?? 0, expected.get(name) ?? 0);
    }
  }
  const lifetime = new Map((await read('lifetimeaggregates')).map((each) => [each.metricName, each.metricAggValue]));
  for (const [metric, days] of member.metrics) {
    const sum = [...days.values()].reduce((total, value) => total + value, 0);
    compare.equal(`${member.loyaltyID} lifetime ${metric}`, lifetime.get(metric as never) ?? 0, sum);
  }
}

function nameOf(period: string, { year, halfYear, quarter, month, week, day }: Record<string, number>): string {
  const two = (n: number | undefined) => String(n).padStart(2, '0');
  if (period === 'day') return `${year}-${two(month)}-${two(day)}`;
  if (period === 'week') return `${year} week ${week}`;
  if (period === 'month') return `${year}-${two(month)}`;
  if (period === 'quarter') return `${year} quarter ${quarter}`;
  return period === 'halfYear' ? `${year} half ${halfYear}` : `${year}`;
}
