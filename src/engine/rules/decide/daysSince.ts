import { localDay } from '#base/calendar/localCalendar';
import { dayOfText, daysFromTo, isDayText, yearFrom } from '#base/calendar/windows';
import { daysSinceOccasion } from '../language/daysSinceParams';
import { EvaluationError } from '../language/evaluationError';
import type { FactRef } from '../language/factRef';
import { instantMs } from '../language/instantMs';

/** What the days are counted from and to. */
export interface DaysSinceInput {
  member: Readonly<Record<string, unknown>>;
  date: Date;
  /** IANA time zone of the program. */
  timezone: string;
  /** The date of the member's latest earlier Accrual. */
  lastVisit(): Date | undefined;
}

/**
 * The whole days from an occasion to the activity's date, in the program's time zone: 0 on the same day, negative before
 * it. Undefined when there is no such occasion.
 * @throws EvaluationError when the params are invalid
 */
export function daysSince(params: FactRef['params'], input: DaysSinceInput): number | undefined {
  const of = daysSinceOccasion(params);
  if (of === undefined) throw new EvaluationError('daysSince needs params: of');
  const { member, date, timezone } = input;
  const today = localDay(date, timezone);
  if (of === 'birthday') {
    const text = birthDay(member);
    return text === undefined ? undefined : daysFromTo(yearFrom(dayOfText(text), today).first, today);
  }
  const since = instantOfOccasion(of, input);
  return Number.isNaN(since) ? undefined : daysFromTo(localDay(new Date(since), timezone), today);
}

function instantOfOccasion(
  of: Exclude<ReturnType<typeof daysSinceOccasion>, 'birthday' | undefined>,
  { member, lastVisit }: DaysSinceInput,
): number {
  if (of === 'lastVisit') return instantMs(lastVisit());
  if (of === 'enrolment') return instantMs(member.enrolledAt);
  return 'tier' in of
    ? instantMs(valueIn(member.tierSince, of.tier))
    : instantMs(valueIn(member.segmentSince, of.segment));
}

function valueIn(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null && Object.hasOwn(record, name)
    ? Reflect.get(record, name)
    : undefined;
}

/** The month of the member's birth, 1 to 12; undefined without a birth date. */
export function birthMonth(member: Readonly<Record<string, unknown>>): number | undefined {
  const text = birthDay(member);
  return text === undefined ? undefined : Number(text.slice(5, 7));
}

function birthDay({ birthDate }: Readonly<Record<string, unknown>>): string | undefined {
  const text = typeof birthDate === 'string' ? birthDate.slice(0, 10) : '';
  return isDayText(text) ? text : undefined;
}
