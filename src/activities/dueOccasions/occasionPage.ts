import { createHash } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Accepted } from '#activities/inbox/acceptSubmissions';
import { type DueTime, isYearDay } from '#base/calendar/dueTimes';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { daysLater, textOfDay } from '#base/calendar/windows';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { collectionOf } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { segmentFilter } from '#programs/catalog/membersInSegment';
import type { Occasion } from '#records/activities/occasion';
import { submissionResource } from '#records/activities/submission';
import { segmentResource } from '#records/catalog/segment';
import { type Member, memberResource } from '#records/members/member';
import type { DueOccasion, DueSchedule } from './dueSchedule';
import { expiringFilter, expiringMembers } from './expiringPoints';
import type { ProgramSchedule } from './programSchedules';

/** Members that are read together. */
const pageSize = 500;

/**
 * How a type of occasion finds its members and makes the occasions of each. A yearly occasion comes once a year, also
 * for a member that was two members before a merge.
 */
interface Kind {
  isYearly?: true;
  filter(db: Connection, org: ObjectId, at: DueSchedule): object | Promise<object>;
  occasions(db: Connection, members: readonly Member[], at: DueSchedule): Promise<DueOccasion[][]> | DueOccasion[][];
}

/**
 * Makes at most one occasion of the day for each member. `idPartOf` gives the part of its id that tells it from others:
 * the day or, for a yearly one, the year. So when the date moves within a year, no second one follows.
 */
const ofEachMember = (
  find: (member: Member, at: DueSchedule) => Occasion | undefined,
  idPartOf: (on: string) => string = (on) => on,
): Kind['occasions'] => {
  return (_db, members, at) =>
    members.map((member) => {
      const occasion = find(member, at);
      const on = textOfDay(at.day);
      return occasion ? [{ idParts: [idPartOf(on)], occasion: { on, ...occasion } }] : [];
    });
};

/** Makes the occasions of a day that comes again every year, from the first year on. */
const yearly = (yearsOf: (member: Member, at: DueSchedule) => number | undefined) =>
  ofEachMember(
    (member, at) => {
      const years = yearsOf(member, at) ?? 0;
      return years < 1 ? undefined : { years };
    },
    (on) => on.slice(0, 4),
  );

const kinds: Record<ProgramSchedule['type'], Kind> = {
  Scheduled: { filter: segmentMembers, occasions: ofEachMember(() => ({})) },
  Birthday: { isYearly: true, filter: birthdayFilter, occasions: yearly(yearsSinceBirth) },
  Anniversary: { isYearly: true, filter: anniversaryFilter, occasions: yearly(yearsSinceEnrolment) },
  PointsExpiring: { filter: expiringFilter, occasions: expiringMembers },
};

/**
 * Reads a page of members and makes their occasions for one due time.
 * @param after the last member of the page before
 * @returns what to post, and the last member of the page; undefined after the last page
 */
export async function occasionPage(
  db: Connection,
  org: ObjectId,
  { schedule, program }: Pick<DueSchedule, 'schedule' | 'program'>,
  due: DueTime,
  after: ObjectId | undefined,
): Promise<{ accepted: Accepted[]; last: ObjectId | undefined }> {
  const kind = kinds[schedule.type];
  const at = { schedule, program, due, day: daysLater(due.day, schedule.daysBefore) };
  // A member that joined later had no occasion then.
  const filter = { org, program: program._id, status: 'Active' as const, createdAt: { $lte: due.at } };
  const members = await collectionOf(db, memberResource)
    .find({ $and: [filter, after ? { _id: { $gt: after } } : {}, await kind.filter(db, org, at)] })
    .sort({ _id: 1 })
    .limit(pageSize)
    .toArray();
  const found = await kind.occasions(db, members, at);
  const wanted = members.flatMap((member, index) => (found[index] ?? []).map((one) => ({ member, one })));
  const left = kind.isYearly ? await withoutRepeated(db, org, at, wanted) : wanted;
  const accepted = left.map(({ member, one }) => acceptOccasion(at, member._id, one));
  return { accepted, last: members.length < pageSize ? undefined : members.at(-1)?._id };
}

interface MemberOccasion {
  member: Member;
  one: DueOccasion;
}

/** Leaves out the occasions that a member already had under the id of a member merged into it. */
async function withoutRepeated(
  db: Connection,
  org: ObjectId,
  at: DueSchedule,
  due: readonly MemberOccasion[],
): Promise<MemberOccasion[]> {
  const keysOf = ({ member, one }: MemberOccasion) => member.mergeIds.map((id) => occasionKey(at, id, one));
  const keys = due.flatMap(keysOf);
  if (keys.length === 0) return [...due];
  const posted = await collectionOf(db, submissionResource)
    .find({ org, key: { $in: keys } }, { projection: { key: 1 } })
    .toArray();
  const had = new Set(posted.map(({ key }) => key));
  return due.filter((each) => !keysOf(each).some((key) => had.has(key)));
}

function occasionKey(
  { schedule: { type, schedule } }: DueSchedule,
  member: ObjectId,
  { idParts }: DueOccasion,
): string {
  return `${ownKeyPrefix}${type}:${derivedId('occasion', type, member, schedule, ...idParts).toHexString()}`;
}

/** The activity of an occasion. Its key is the same in every run. */
function acceptOccasion(at: DueSchedule, member: ObjectId, one: DueOccasion): Accepted {
  const key = occasionKey(at, member, one);
  const { due } = at;
  const { type, schedule } = at.schedule;
  const activity = {
    type,
    date: due.at,
    value: 0,
    lineItems: [],
    memberID: member,
    externalTxnId: key,
    occasion: { ...one.occasion, schedule },
  };
  return { activity, key: { key, hash: createHash('sha256').update(key).digest('hex') } };
}

/**
 * The days of the year that are celebrated on a day. In a year without 29 February, that day is celebrated on the 28th.
 */
function celebratedOn(day: LocalDay): string[] {
  return [...new Set([textOfDay(day).slice(5), '02-29'])].filter((monthDay) => isYearDay(monthDay, day));
}

/** The members who were born on this day of the year. */
function birthdayFilter(_db: Connection, _org: ObjectId, { day }: DueSchedule) {
  return { $expr: { $in: [{ $substrBytes: ['$birthDate', 5, 5] }, celebratedOn(day)] } };
}

/** Which birthday of a member a day is; 0 on the day of birth itself. */
function yearsSinceBirth({ birthDate = '' }: Member, { day }: DueSchedule): number {
  return day.getUTCFullYear() - Number(birthDate.slice(0, 4));
}

/**
 * The members that enrolled around this day of the year. The filter compares in UTC, so it includes the day before and
 * the day after; `yearsSinceEnrolment` then decides by local time.
 */
function anniversaryFilter(_db: Connection, _org: ObjectId, { day }: DueSchedule) {
  const around = [-1, 0, 1].flatMap((days) => celebratedOn(daysLater(day, days)));
  return { $expr: { $in: [{ $dateToString: { date: '$enrolledAt', format: '%m-%d' } }, around] } };
}

/** Which anniversary of a member's enrolment a day is; undefined when it is none. */
function yearsSinceEnrolment({ enrolledAt }: Member, { day, program }: DueSchedule): number | undefined {
  const enrolled = localDay(enrolledAt, program.timezone);
  if (!isYearDay(textOfDay(enrolled).slice(5), day)) return undefined;
  return day.getUTCFullYear() - enrolled.getUTCFullYear();
}

/** The filter of the members of a schedule's segment, as they are now; without a segment: every member. */
async function segmentMembers(db: Connection, org: ObjectId, { schedule: { segment: name } }: DueSchedule) {
  if (name === undefined) return {};
  const segment = await collectionOf(db, segmentResource).findOne({ org, name });
  return segment ? segmentFilter(segment) : { _id: { $in: [] } };
}
