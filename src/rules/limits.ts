import type { ObjectId } from 'bson';
import type { Activity } from '../activities/activity';
import { derivedId } from '../db/derivedId';
import { type LocalTime, localTime } from './localTime';
import type { Limit, Rule } from './rule';

/** The counter of a limit or budget that an activity may touch. */
export interface CounterKey {
  /** Derived from program, rule key and what the limit counts; the same in every version of the rule set. */
  id: ObjectId;
  kind: 'limit' | 'budget';
  what: 'points' | 'times';
  max: number;
}

/** Whose counters are asked for. */
export interface CounterOwner {
  memberId: ObjectId;
  program: { readonly timezone: string };
}

/**
 * The counters a rule keeps for this activity, so that all of a batch can be read in one query. A limit per
 * transaction has none. Activities without a location (or partner) share one counter of their own, so that leaving it
 * out never escapes a limit.
 */
export function counterKeys(rule: Rule, activity: Activity, owner: CounterOwner): CounterKey[] {
  if (!rule.limits && !rule.budget) return [];
  const local = localTime(activity.date, owner.program.timezone);
  return rulesCounters(rule, activity, owner.memberId, local);
}

/** The same for several rules of one program, reading the clock of its time zone once. */
export function allCounterKeys(rules: readonly Rule[], activity: Activity, owner: CounterOwner): CounterKey[] {
  const limited = rules.filter(({ limits, budget }) => limits !== undefined || budget !== undefined);
  if (limited.length === 0) return [];
  const local = localTime(activity.date, owner.program.timezone);
  return limited.flatMap((rule) => rulesCounters(rule, activity, owner.memberId, local));
}

/** The counter of a limit; undefined for one that counts within the transaction only. */
export function limitCounter(
  rule: Rule,
  { what, per, period, max }: Limit,
  activity: Activity,
  memberId: ObjectId,
  local: LocalTime,
): CounterKey | undefined {
  if (period === 'transaction') return undefined;
  const subject = subjects[per](activity, memberId);
  const id = derivedId('limit', rule.programId, rule.key, what, per, subject, period, periodStarts[period](local));
  return { id, kind: 'limit', what, max };
}

/** The counter of a rule's budget, over its whole life. */
export function budgetCounter(rule: Rule, max: number): CounterKey {
  return { id: derivedId('budget', rule.programId, rule.key), kind: 'budget', what: 'points', max };
}

function rulesCounters(rule: Rule, activity: Activity, memberId: ObjectId, local: LocalTime): CounterKey[] {
  const ofLimits = (rule.limits ?? []).flatMap((limit) => limitCounter(rule, limit, activity, memberId, local) ?? []);
  return rule.budget ? [...ofLimits, budgetCounter(rule, rule.budget.points)] : ofLimits;
}

const subjects: Record<Limit['per'], (activity: Activity, memberId: ObjectId) => string> = {
  member: (_, memberId) => memberId.toHexString(),
  location: ({ locationId, srcChannelID }) => locationId?.toHexString() ?? srcChannelID ?? '',
  partner: ({ partnerCode }) => partnerCode ?? '',
  program: () => '',
};

const periodStarts: Record<Exclude<Limit['period'], 'transaction'>, (local: LocalTime) => string> = {
  day: ({ year, month, day }) => dayText(year, month, day),
  week: ({ year, month, day, weekday }) => dayText(year, month, day - weekday),
  month: ({ year, month }) => dayText(year, month, 1),
  quarter: ({ year, month }) => dayText(year, month - ((month - 1) % 3), 1),
  year: ({ year }) => dayText(year, 1, 1),
  lifetime: () => '',
};

/** A day as text; days below 1 lie in the month before. */
function dayText(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
