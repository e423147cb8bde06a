import { createHash } from 'node:crypto';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Accepted } from '../activities/inbox/acceptSubmissions';
import type { DueTime } from '../calendar/dueTimes';
import { daysLater, textOfDay } from '../calendar/windows';
import { ownKeyPrefix } from '../common/ownKeys';
import { collectionOf } from '../db/collections';
import { derivedId } from '../db/records';
import type { Occasion } from '../records/activities/occasion';
import { type Member, memberResource } from '../records/members/member';
import { anniversaryFilter, birthdayFilter, yearsSinceBirth, yearsSinceEnrolment } from './dayOfMember';
import type { DueOccasion, DueSlot } from './dueSlot';
import { expiringFilter, expiringOf } from './expiringPoints';
import { segmentMembers } from './segmentMembers';
import type { Slot } from './slots';

/** Members that are read at once. */
const pageSize = 500;

/** What is special about a type of occasion: the members to read, and the occasions of each. */
interface Kind {
  filter(db: Connection, org: ObjectId, at: DueSlot): object | Promise<object>;
  occasions(db: Connection, members: readonly Member[], at: DueSlot): Promise<DueOccasion[][]> | DueOccasion[][];
}

const each = (find: (member: Member, at: DueSlot) => Occasion | undefined): Kind['occasions'] => {
  return (_db, members, at) =>
    members.map((member) => {
      const occasion = find(member, at);
      return occasion ? [{ of: [textOfDay(at.day)], occasion: { on: textOfDay(at.day), ...occasion } }] : [];
    });
};

/** An occasion of a day that comes again every year, from the first year on. */
const yearly = (yearsOf: (member: Member, at: DueSlot) => number | undefined) =>
  each((member, at) => {
    const years = yearsOf(member, at) ?? 0;
    return years < 1 ? undefined : { years };
  });

const kinds: Record<Slot['type'], Kind> = {
  Scheduled: { filter: segmentMembers, occasions: each(() => ({})) },
  Birthday: { filter: birthdayFilter, occasions: yearly(yearsSinceBirth) },
  Anniversary: { filter: anniversaryFilter, occasions: yearly(yearsSinceEnrolment) },
  PointsExpiring: { filter: expiringFilter, occasions: expiringOf },
};

/**
 * Reads a page of members and makes their occasions of a moment.
 * @param after the last member of the page before
 * @returns what to post, and the last member of the page; undefined after the last page
 */
export async function occasionPage(
  db: Connection,
  org: ObjectId,
  { slot, program }: Pick<DueSlot, 'slot' | 'program'>,
  due: DueTime,
  after: ObjectId | undefined,
): Promise<{ accepted: Accepted[]; last: ObjectId | undefined }> {
  const kind = kinds[slot.type];
  const at = { slot, program, due, day: daysLater(due.day, slot.daysBefore) };
  // Who joined later had no occasion then.
  const asked = { org, program: program._id, status: 'Active' as const, createdAt: { $lte: due.at } };
  const members = await collectionOf(db, memberResource)
    .find({ $and: [asked, after ? { _id: { $gt: after } } : {}, await kind.filter(db, org, at)] })
    .sort({ _id: 1 })
    .limit(pageSize)
    .toArray();
  const found = await kind.occasions(db, members, at);
  const accepted = members.flatMap(({ _id }, index) => (found[index] ?? []).map((one) => toPost(at, _id, one)));
  return { accepted, last: members.length < pageSize ? undefined : members.at(-1)?._id };
}

/** The activity of an occasion. Its key is the same in every run. */
function toPost({ slot: { type, schedule }, due }: DueSlot, member: ObjectId, { of, occasion }: DueOccasion): Accepted {
  const key = `${ownKeyPrefix}${type}:${derivedId('occasion', type, member, schedule, ...of).toHexString()}`;
  const activity = {
    ...{ type, date: due.at, value: 0, lineItems: [], memberID: member, externalTxnId: key },
    occasion: { ...occasion, schedule },
  };
  return { activity, key: { key, hash: createHash('sha256').update(key).digest('hex') } };
}
