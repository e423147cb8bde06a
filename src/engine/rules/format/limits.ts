import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { type PeriodUnit, periodStart } from '#base/calendar/periods';
import { daysBetween, isInSpan } from '#base/calendar/windows';
import { derivedId } from '#base/db/records';
import type { Activity } from '#records/activities/activity';
import type { FactRef } from '../language/factRef';
import { type Limit, limitPeriodText } from './limitShape';
import type { Rule } from './rule';
import { type CountedWindow, countedWindow } from './windowUses';

/** What identifies the counter of a limit or budget, whether it is stored or only counts within the activity. */
export interface Counter {
  /** Hexadecimal id of a stored counter; another string when the limit is per transaction. */
  key: string;
  kind: 'limit' | 'budget';
  what: Limit['what'];
  max: number;
  /** Present when uses are stored with the limit that they are of, see {@link LimitUse}. */
  by?: LimitUse;
  /** Other rules have the same counter. */
  isShared?: true;
}

/** The counter of a limit or budget that an activity may touch. */
export interface CounterKey extends Counter {
  /** Derived from the program, the rule key and what the limit counts. It is the same in every rule set version. */
  id: ObjectId;
  /** Only for a limit by a window of time. */
  window?: StoredWindow;
}

/**
 * A window and its counters. Each counter has the uses of a stretch of time as long as the longest window, so those
 * before and after it have all other uses that may lie in a window with the activity.
 */
interface StoredWindow extends CountedWindow {
  before: ObjectId;
  after: ObjectId;
}

/** The limit of a rule that used a counter, and the line item when the limit counts by line items. */
export interface LimitUse {
  rule: ObjectId;
  /** Position in the rule's limits. */
  limit: number;
  line?: number;
}

/** The member, and the program whose time zone decides the day. */
export interface CounterOwner {
  memberId: ObjectId;
  program: { readonly timezone: string };
  /** The account that the member is in. */
  account?: ObjectId | undefined;
  enrolledAt?: Date | undefined;
  /** The id of the offer or reward that a line item or activity names; undefined when it is unknown. */
  couponId?(named: Pick<Activity, 'couponCode'> & { offerId?: ObjectId | undefined }): string | undefined;
}

/** An activity, its line item for limits that count by line items, and its day in the program's time zone. */
export interface LimitPlace {
  activity: Activity;
  owner: CounterOwner;
  day: LocalDay;
  line: number;
}

/**
 * The counters of a rule that an activity may change, so that one query can read all counters of a batch. A limit per
 * transaction has no counter, and a limit without a subject has none: all strangers would share it.
 */
export function counterKeys(rule: Rule, activity: Activity, owner: CounterOwner): CounterKey[] {
  if (!rule.limits && !rule.budget) return [];
  const day = localDay(activity.date, owner.program.timezone);
  return rulesCounters(rule, activity, owner, day);
}

/** The same as {@link counterKeys} for several rules of one program. It computes the local day only once. */
export function allCounterKeys(rules: readonly Rule[], activity: Activity, owner: CounterOwner): CounterKey[] {
  const limited = rules.filter(({ limits, budget }) => limits !== undefined || budget !== undefined);
  if (limited.length === 0) return [];
  const day = localDay(activity.date, owner.program.timezone);
  return limited.flatMap((rule) => rulesCounters(rule, activity, owner, day));
}

/** The facts on which the limits of a rule depend: the enrolment, when one counts by the member's own year. */
export function limitReads({ limits = [] }: Pick<Rule, 'limits'>): FactRef[] {
  return limits.some(({ period }) => typeof period === 'object' && 'year' in period) ? [enrolment] : [];
}

const enrolment: FactRef = { fact: 'member', path: '$.enrolledAt' };

/** The ids of all stored counters on which a counter depends: its own first. */
export function counterIds({ id, window }: CounterKey): ObjectId[] {
  return window ? [id, window.before, window.after] : [id];
}

/**
 * The counter of a limit; undefined when the limit does not hold at the activity's date, or the activity has nothing
 * that the limit counts by, such as a partner.
 */
export function limitCounter(
  rule: Rule,
  index: number,
  { activity, owner, day, line }: LimitPlace,
): Counter | CounterKey | undefined {
  const limit = rule.limits?.[index];
  if (!limit) return undefined;
  const { what, per, period, max, limitGroup } = limit;
  const ofLine = isByLine(limit) && rule.perLine;
  const subject = subjects[per](activity, owner, ofLine ? activity.lineItems[line] : undefined);
  if (subject === undefined) return undefined;
  const by = isAttributed(limit) ? { by: { rule: rule._id, limit: index, ...(ofLine ? { line } : {}) } } : {};
  const counter = {
    kind: 'limit' as const,
    what,
    max,
    ...by,
    ...(limitGroup === undefined ? {} : { isShared: true as const }),
  };
  const name =
    limitGroup === undefined ? ['limit', rule.programId, rule.key] : ['limitGroup', rule.programId, limitGroup];
  const parts = [...name, what, per, subject] as const;
  if (period === 'transaction') return { ...counter, key: parts.join(' ') };
  if (typeof period === 'string') return stored(counter, derivedId(...parts, period, periodText(period, day)));
  if ('from' in period) {
    return isInSpan(daysBetween(period), day)
      ? stored(counter, derivedId(...parts, limitPeriodText(period)))
      : undefined;
  }
  const { enrolledAt, program } = owner;
  const counted = countedWindow(period, { date: activity.date, timezone: program.timezone, enrolledAt });
  const stretch = Math.floor(counted.at / counted.length);
  const idOf = (place: number) => derivedId(...parts, limitPeriodText(period), place);
  const window = { ...counted, before: idOf(stretch - 1), after: idOf(stretch + 1) };
  return { ...stored(counter, idOf(stretch)), window };
}

/** Whether uses of a limit are stored with the rule and the limit. Other limits do without, as they always did. */
function isAttributed(limit: Limit): boolean {
  const { what, per, period, limitGroup } = limit;
  return (
    limitGroup !== undefined || what === 'amount' || per === 'account' || isByLine(limit) || typeof period === 'object'
  );
}

/** Whether every activity has what a limit counts by, so that the limit always holds. */
export function isNeverAbsent({ per }: Limit): boolean {
  return per === 'member' || per === 'account' || per === 'program';
}

/** Whether line items of one activity may have different counters. */
function isByLine({ per }: Limit): boolean {
  return per === 'product' || per === 'coupon';
}

function stored<C extends Omit<Counter, 'key'>>(counter: C, id: ObjectId) {
  return { ...counter, id, key: id.toHexString() };
}

/** The counter of a rule's budget. It covers the whole life of the rule. */
export function budgetCounter(rule: Rule, max: number): CounterKey {
  return stored({ kind: 'budget', what: 'points', max }, derivedId('budget', rule.programId, rule.key));
}

/** Tells whether a counter is stored. */
export function isStored(counter: Counter | CounterKey | undefined): counter is CounterKey {
  return counter !== undefined && 'id' in counter;
}

function rulesCounters(rule: Rule, activity: Activity, owner: CounterOwner, day: LocalDay): CounterKey[] {
  const ofLimits = (rule.limits ?? []).flatMap((limit, index) => {
    const lines = rule.perLine && isByLine(limit) ? activity.lineItems.map((_, line) => line) : [0];
    return lines.map((line) => limitCounter(rule, index, { activity, owner, day, line })).filter(isStored);
  });
  return rule.budget ? [...ofLimits, budgetCounter(rule, rule.budget.points)] : ofLimits;
}

type Line = Activity['lineItems'][number] | undefined;

/** What identifies the subject of a limit; undefined when there is none. */
const subjects: Record<Limit['per'], (activity: Activity, owner: CounterOwner, line: Line) => string | undefined> = {
  member: (_, { memberId }) => memberId.toHexString(),
  account: (_, { account, memberId }) => (account ?? memberId).toHexString(),
  location: ({ locationId, srcChannelID }) => locationId?.toHexString() ?? nonEmpty(srcChannelID),
  partner: ({ partnerCode }) => nonEmpty(partnerCode),
  product: (_, _owner, line) => nonEmpty(line?.itemSKU) ?? line?.productId?.toHexString(),
  coupon(activity, { couponId }, line) {
    const named = line?.couponCode !== undefined || line?.offerId !== undefined ? line : activity;
    const byId = 'offerId' in named ? named.offerId?.toHexString() : undefined;
    return couponId?.(named) ?? nonEmpty(named.couponCode) ?? byId;
  },
  program: () => wholeProgram,
};

/** The program is part of every counter's identity, so it needs no other. */
const wholeProgram = '';

/** The string, unless it is empty: an empty one names nothing. */
function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The part of a counter's identity for its period: the first day, or an empty string for a lifetime. */
function periodText(period: Exclude<PeriodUnit, 'halfYear'>, day: LocalDay): string {
  return period === 'lifetime' ? '' : periodStart(period, day).toISOString().slice(0, 10);
}
