import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { isYearDay } from '#base/calendar/dueTimes';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { daysLater, textOfDay } from '#base/calendar/windows';
import type { Member } from '#records/members/member';
import type { DueSlot } from './dueSlot';

/** Days of the year that are celebrated on a day: 29 February too on 28 February of a year without it. */
function celebratedOn(day: LocalDay): string[] {
  return [...new Set([textOfDay(day).slice(5), '02-29'])].filter((monthDay) => isYearDay(monthDay, day));
}

/** The members who were born on this day of the year. */
export function birthdayFilter(_db: Connection, _org: ObjectId, { day }: DueSlot) {
  return { $expr: { $in: [{ $substrBytes: ['$birthDate', 5, 5] }, celebratedOn(day)] } };
}

/** Which birthday of a member a day is; 0 on the day of birth itself. */
export function yearsSinceBirth({ birthDate = '' }: Member, { day }: DueSlot): number {
  return day.getUTCFullYear() - Number(birthDate.slice(0, 4));
}

/**
 * The members who enrolled about this day of the year. The day before and the day after are included: the filter goes
 * by UTC.
 */
export function anniversaryFilter(_db: Connection, _org: ObjectId, { day }: DueSlot) {
  const around = [-1, 0, 1].flatMap((days) => celebratedOn(daysLater(day, days)));
  return { $expr: { $in: [{ $dateToString: { date: '$enrolledAt', format: '%m-%d' } }, around] } };
}

/** Which anniversary of a member's enrolment a day is; undefined when it is none. */
export function yearsSinceEnrolment({ enrolledAt }: Member, { day, program }: DueSlot): number | undefined {
  const enrolled = localDay(enrolledAt, program.timezone);
  if (!isYearDay(textOfDay(enrolled).slice(5), day)) return undefined;
  return day.getUTCFullYear() - enrolled.getUTCFullYear();
}
