import type { ObjectId } from 'bson';
import { DateTime } from 'luxon';
import type { Connection } from 'mongoose';
import { localDay } from '#base/calendar/localCalendar';
import { zoneOfRecord } from '#base/calendar/timezones';
import { lifetimeValue } from '#engine/sums/lifetime';
import { bestClaim } from '#engine/tiers/claims';
import { emptyLadder } from '#engine/tiers/ladder';
import { keyAt, type LadderInput } from '#engine/tiers/levels';
import { findLadder, openTiers } from '#engine/tiers/memberTiers';
import { type LevelOutlook, levelOutlook, type Need, nextLevel, outlookDates, sumLookup } from '#engine/tiers/outlook';
import { loadAggregateValues } from '#members/aggregates/loadAggregateValues';
import { loadLiveLots } from '#members/memberState/readMember';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { TierPolicy } from '#records/programs/tierPolicy';
import { monthText } from './months';

/** What a member needs for a level, and the same as a sentence. */
export interface PhrasedNeed extends Need {
  sentence: string;
}

/** What becomes of the tier of a member under one policy. */
export interface TierForecast {
  policyId: ObjectId;
  name: string;
  basis?: NonNullable<TierPolicy['basis']>;
  /** The sum of the basis in its present period. */
  value?: number;
  level?: Need['level'];
  expiresOn?: Date;
  outlook?: LevelOutlook['outlook'];
  graceUntil?: Date;
  keep?: PhrasedNeed;
  next?: PhrasedNeed;
}

/** Points of a purse that expire in a month. */
export interface ExpiringPoints {
  /** YYYY-MM in the program's time zone. */
  month: string;
  purse: ObjectId;
  name: string;
  points: number;
  /** The part of `points` that is still in escrow. */
  escrowed: number;
}

/** The member, its program and its policies. */
export interface ForecastScope {
  org: ObjectId;
  member: Member;
  program: Program;
  policies: readonly PursePolicy[];
  tierPolicies: readonly TierPolicy[];
  now: Date;
}

/**
 * What the tiers of a member need, by policy: what keeps its level, and what reaches the next one. The member must be
 * settled.
 */
export async function tierForecasts(db: Connection, scope: ForecastScope): Promise<TierForecast[]> {
  const forecasts: TierForecast[] = [];
  for (const policy of scope.tierPolicies) forecasts.push(await tierForecast(db, policy, scope));
  return forecasts;
}

async function tierForecast(db: Connection, policy: TierPolicy, scope: ForecastScope): Promise<TierForecast> {
  const { member, program, now } = scope;
  const input: LadderInput = {
    policy,
    timezone: program.timezone,
    now,
    enrolledAt: member.enrolledAt,
    lifetimeValue: (metric) => lifetimeValue(member.aggregates, metric, now),
  };
  const ladder = findLadder(openTiers(member), policy._id) ?? emptyLadder(input);
  const values = sumLookup(await forecastSums(db, scope, policy, outlookDates(ladder, input)), input);
  const claim = bestClaim(ladder);
  const { keep, ...outlook } = levelOutlook(ladder, values, input) ?? {};
  const next = nextLevel(ladder, values, input);
  const phrased = (need: Need, verb: 'keep' | 'reach') => ({ ...need, sentence: needInWords(need, verb, program) });
  return {
    policyId: policy._id,
    name: policy.name,
    ...(policy.basis ? { basis: policy.basis, value: values(now) } : {}),
    ...(claim ? { level: claim.level, ...(claim.expiresOn ? { expiresOn: claim.expiresOn } : {}) } : {}),
    ...outlook,
    ...(keep ? { keep: phrased(keep, 'keep') } : {}),
    ...(next ? { next: phrased(next, 'reach') } : {}),
  };
}

/** The sums of the policy's metric in the periods of these dates, by the key of the period. */
async function forecastSums(
  db: Connection,
  { org, member, program: { timezone }, now }: ForecastScope,
  { basis, ...policy }: TierPolicy,
  dates: readonly Date[],
): Promise<Map<string, number>> {
  if (!basis) return new Map();
  const { metric, period } = basis;
  const keyed = new Map(dates.map((date) => [keyAt(date, { policy: { ...policy, basis }, timezone }), date]));
  if (period === 'lifetime') return new Map([['', lifetimeValue(member.aggregates, metric, now)]]);
  const members = [member._id, ...member.mergeIds];
  const requests = [...keyed.values()].flatMap((date) =>
    members.map((each) => ({ member: each, metric, period, day: localDay(date, timezone) })),
  );
  const values = await loadAggregateValues(db, org, requests, new Map([[member._id.toHexString(), member.version]]));
  return new Map(
    [...keyed.keys()].map((key, n) => {
      const own = values.slice(n * members.length, (n + 1) * members.length);
      return [key, own.reduce((sum, value) => sum + value, 0)];
    }),
  );
}

/** The points of a member by the month in which they expire, those that expire first come first. */
export async function expiringByMonth(db: Connection, scope: ForecastScope): Promise<ExpiringPoints[]> {
  const { org, member, program, policies } = scope;
  const lots = (await loadLiveLots(db, org, [member._id])).get(member._id.toHexString()) ?? [];
  const months = new Map<string, ExpiringPoints>();
  for (const lot of lots) {
    const expiresOn = forecastExpiry(lot, member);
    if (!expiresOn) continue;
    const month = monthText(expiresOn, program.timezone);
    const name = policies.find(({ _id }) => _id.equals(lot.purse))?.name ?? lot.purseName;
    const key = `${month} ${name} ${lot.purse.toHexString()}`;
    const { points, escrowed } = months.get(key) ?? { points: 0, escrowed: 0 };
    const more = lot.availablePoints + lot.escrowedPoints;
    months.set(key, { month, purse: lot.purse, name, points: points + more, escrowed: escrowed + lot.escrowedPoints });
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** When a lot expires: on its own date, or with its purse when nothing happens in it. */
function forecastExpiry({ dtExpiresOn, expiresByInactivity, purse }: Lot, { purses }: Member): Date | undefined {
  if (dtExpiresOn || !expiresByInactivity) return dtExpiresOn;
  return purses.find(({ policyId }) => policyId.equals(purse))?.inactiveOn;
}

/** How a member adds an amount to a metric. */
function needText({ metric, missing }: Need, currency: string | undefined): string {
  const [name = '', purse] = metric.split(':');
  const points = purse === undefined ? 'points' : `points in ${purse}`;
  const deeds: Record<string, string> = {
    spend: `Spend ${missing}${currency === undefined ? '' : ` ${currency}`} more`,
    visits: `Come ${missing} more ${missing === 1 ? 'time' : 'times'}`,
    pointsEarned: `Earn ${missing} more ${points}`,
    pointsRedeemed: `Redeem ${missing} more ${points}`,
  };
  return deeds[name] ?? `Add ${missing} to ${metric}`;
}

/**
 * What a member needs, as a sentence with days of the program's time zone: `Spend 120 EUR more by 31 December 2026 to
 * keep Gold`.
 */
function needInWords(
  need: Need,
  verb: 'keep' | 'reach',
  { timezone, currencyCode }: Pick<Program, 'timezone' | 'currencyCode'>,
): string {
  if (need.missing === 0) return `Nothing is missing to ${verb} ${need.level.name}`;
  const dayOf = (at: number) =>
    DateTime.fromMillis(at, { zone: zoneOfRecord(timezone), locale: 'en-GB' }).toFormat('d LLLL yyyy');
  // The last day is the one before the midnight at which the time ends.
  const by = need.by === undefined ? '' : ` by ${dayOf(need.by.getTime() - 1)}`;
  return `${needText(need, currencyCode)}${by} to ${verb} ${need.level.name}`;
}
