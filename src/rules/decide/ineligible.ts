import type { LocalTime } from '../../calendar/localCalendar';
import { dayNames, type Rule } from '../format/rule';
import type { FailedCondition, MatchReason } from '../language/decision';

/** Why a rule is not even asked for its conditions. */
export interface Ineligible {
  reason: MatchReason;
  failedCondition?: FailedCondition;
}

/** What decides whether a rule is eligible. */
export interface EligibilityInput {
  date: Date;
  local(): LocalTime;
  member(): Readonly<Record<string, unknown>>;
}

/** Status, dates, hours, segments and tiers of a rule; undefined when it is eligible (DESIGN 8, Fields). */
export function ineligible(rule: Rule, { date, local, member }: EligibilityInput): Ineligible | undefined {
  const { status, effective, hours, segments, tiers } = rule;
  if (status !== 'active' || !holdsAt(effective, date)) return { reason: 'notEffective' };
  if (hours && !isWithin(hours, local())) return { reason: 'notEffective' };
  return (
    (segments && notAnyOf('$.segments', segments, listOf(member().segments))) ??
    (tiers && notAnyOf('$.tier', tiers, Object.values(objectOf(member().tier))))
  );
}

/** `from` belongs to the time, `to` does not. */
function holdsAt(effective: Rule['effective'], date: Date): boolean {
  if (effective?.from && date < effective.from) return false;
  return !(effective?.to && date >= effective.to);
}

/** A span past midnight belongs to the day on which it began. */
function isWithin({ days, from = '00:00', to = '24:00' }: NonNullable<Rule['hours']>, local: LocalTime): boolean {
  const minute = local.hour * 60 + local.minute;
  const start = minutesOf(from);
  const end = minutesOf(to);
  const isOn = (weekday: number) => days === undefined || days.some((day) => dayNames.indexOf(day) === weekday);
  if (start < end) return isOn(local.weekday) && minute >= start && minute < end;
  return minute >= start ? isOn(local.weekday) : minute < end && isOn((local.weekday + 6) % 7);
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function notAnyOf(path: string, expected: readonly string[], actual: readonly unknown[]) {
  if (expected.some((each) => actual.includes(each))) return undefined;
  const failedCondition = { fact: 'member', path, operator: 'someFact:in', expected, actual };
  return { reason: 'conditionFailed' as const, failedCondition };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
