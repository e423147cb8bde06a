import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '../../calendar/localCalendar';
import { periodStart } from '../../calendar/periods';
import { derivedId } from '../../db/records';
import type { Activity } from '../../records/activities/activity';
import type { Limit, Rule } from './rule';

/** The counter of a limit or budget that an activity may touch. */
export interface CounterKey {
  /** Derived from the program, the rule key and what the limit counts. It is the same in every rule set version. */
  id: ObjectId;
  kind: 'limit' | 'budget';
  what: 'points' | 'times';
  max: number;
}

/** The member, and the program whose time zone decides the day. */
export interface CounterOwner {
  memberId: ObjectId;
  program: { readonly timezone: string };
}

/**
 * The counters of a rule that an activity may change, so that one query can read all counters of a batch. A limit per
 * transaction has no counter. All activities without a location (or partner) share one counter: nobody escapes a limit
 * by leaving out the location.
 */
export function counterKeys(rule: Rule, activity: Activity, owner: CounterOwner): CounterKey[] {
  if (!rule.limits && !rule.budget) return [];
  const day = localDay(activity.date, owner.program.timezone);
  return rulesCounters(rule, activity, owner.memberId, day);
}

/** The same as {@link counterKeys} for several rules of one program. It computes the local day only once. */
export function allCounterKeys(rules: readonly Rule[], activity: Activity, owner: CounterOwner): CounterKey[] {
  const limited = rules.filter(({ limits, budget }) => limits !== undefined || budget !== undefined);
  if (limited.length === 0) return [];
  const day = localDay(activity.date, owner.program.timezone);
  return limited.flatMap((rule) => rulesCounters(rule, activity, owner.memberId, day));
}

/**
 * The counter of a limit; undefined when the limit is per transaction.
 * @param day the day of the activity in the program's time zone
 */
export function limitCounter(
  rule: Rule,
  { what, per, period, max }: Limit,
  activity: Activity,
  memberId: ObjectId,
  day: LocalDay,
): CounterKey | undefined {
  if (period === 'transaction') return undefined;
  const subject = subjects[per](activity, memberId);
  const id = derivedId('limit', rule.programId, rule.key, what, per, subject, period, periodText(period, day));
  return { id, kind: 'limit', what, max };
}

/** The counter of a rule's budget. It covers the whole life of the rule. */
export function budgetCounter(rule: Rule, max: number): CounterKey {
  return { id: derivedId('budget', rule.programId, rule.key), kind: 'budget', what: 'points', max };
}

function rulesCounters(rule: Rule, activity: Activity, memberId: ObjectId, day: LocalDay): CounterKey[] {
  const ofLimits = (rule.limits ?? []).flatMap((limit) => limitCounter(rule, limit, activity, memberId, day) ?? []);
  return rule.budget ? [...ofLimits, budgetCounter(rule, rule.budget.points)] : ofLimits;
}

const subjects: Record<Limit['per'], (activity: Activity, memberId: ObjectId) => string> = {
  member: (_, memberId) => memberId.toHexString(),
  location: ({ locationId, srcChannelID }) => locationId?.toHexString() ?? srcChannelID ?? '',
  partner: ({ partnerCode }) => partnerCode ?? '',
  program: () => '',
};

/** The part of a counter's identity for its period: the first day, or an empty text for a lifetime. */
function periodText(period: Exclude<Limit['period'], 'transaction'>, day: LocalDay): string {
  return period === 'lifetime' ? '' : periodStart(period, day).toISOString().slice(0, 10);
}
