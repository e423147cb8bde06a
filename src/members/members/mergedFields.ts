import type { ObjectId } from 'bson';
import { contactKeys, formerKeysMax } from '#records/members/find/memberKeys';
import type { Member } from '#records/members/member';

type PersonalField =
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'birthDate'
  | 'address'
  | 'locale'
  | 'enrollChannel';

type Personal = { [Field in PersonalField]: Member[Field] | undefined };

/** The personal fields of a survivor after a merge, and its segments, extension fields and search keys. */
export interface MergedFields extends Personal, Pick<Member, 'segments' | 'segmentDates' | 'ext'> {
  familyHead: ObjectId | undefined;
  formerKeys: string[];
}

/**
 * The fields of a survivor that are filled or joined from the merged members. Where both have a value, the survivor's
 * stays. Among the merged members the first one named in the request comes first.
 */
export function mergedFields(survivor: Member, merged: readonly Member[]): MergedFields {
  const members = [survivor, ...merged];
  const personal = mergedPersonal(members);
  const { email, phone } = personal;
  return {
    ...personal,
    familyHead: mergeFamilyHead(members),
    ...mergeSegments(members),
    ext: mergeExt(members),
    formerKeys: mergeFormerKeys(contactKeys({ email, phone }), members),
  };
}

/** For each field the value of the first member that has one. */
function mergedPersonal(members: readonly Member[]): Personal {
  const first = <T>(read: (member: Member) => T | undefined) =>
    members.map(read).find((value) => value !== undefined && value !== null);
  return {
    firstName: first(({ firstName }) => firstName),
    lastName: first(({ lastName }) => lastName),
    email: first(({ email }) => email),
    phone: first(({ phone }) => phone),
    birthDate: first(({ birthDate }) => birthDate),
    address: first(({ address }) => address),
    locale: first(({ locale }) => locale),
    enrollChannel: first(({ enrollChannel }) => enrollChannel),
  };
}

/** For each extension field the value of the first member that has one. */
function mergeExt(members: readonly Member[]): NonNullable<Member['ext']> {
  const present = members.flatMap(({ ext = {} }) => Object.entries(ext)).filter(([, value]) => value !== null);
  return Object.fromEntries(present.reverse());
}

/** The first family head that is not itself one of these members. */
function mergeFamilyHead(members: readonly Member[]): ObjectId | undefined {
  const isOwn = isOneOf(members);
  return members.flatMap(({ familyHead }) => (familyHead && !isOwn(familyHead) ? [familyHead] : []))[0];
}

/**
 * Makes a function that tells whether an id belongs to one of these members, or to a member merged into one of them.
 */
export function isOneOf(members: readonly Pick<Member, '_id' | 'mergeIds'>[]): (id: ObjectId) => boolean {
  const ids = new Set(members.flatMap(({ _id, mergeIds }) => [_id, ...mergeIds]).map((id) => id.toHexString()));
  return (id) => ids.has(id.toHexString());
}

/**
 * All segments, each with the earliest date on which a member joined it. When one of the dates is unknown, the segment
 * has none.
 */
function mergeSegments(members: readonly Member[]): Pick<Member, 'segments' | 'segmentDates'> {
  const all = new Map(members.flatMap(({ segments }) => segments).map((id) => [id.toHexString(), id]));
  const segments = [...all.values()];
  const segmentDates = segments.flatMap((segment) => {
    const holders = members.filter((each) => each.segments.some((id) => id.equals(segment)));
    const dates = holders.map((each) => each.segmentDates?.find((date) => date.segment.equals(segment))?.since);
    const known = dates.flatMap((date) => date?.getTime() ?? []);
    return known.length < holders.length ? [] : [{ segment, since: new Date(Math.min(...known)) }];
  });
  return { segments, segmentDates };
}

function mergeFormerKeys(own: readonly string[], members: readonly Member[]): string[] {
  const all = members.flatMap(({ formerKeys = [], email, phone }) => [...formerKeys, ...contactKeys({ email, phone })]);
  return [...new Set(all)].filter((key) => !own.includes(key)).slice(-formerKeysMax);
}
