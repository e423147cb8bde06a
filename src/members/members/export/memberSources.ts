import type { ObjectId } from 'bson';
import type { Resource } from '#base/schema/resource';
import { memberPartition } from '#records/activities/inboxPartition';
import { submissionResource } from '#records/activities/submission';
import { metricEventsResource } from '#records/aggregates/metricEvents';
import { eventPageResource } from '#records/events/eventPage';
import { accountResource } from '#records/members/account';
import { type Member, memberResource } from '#records/members/member';
import { auditResource } from '#records/users/auditEntry';

type Stored = Record<string, unknown>;

/** The ids of a member and of all members merged into it. */
export interface MemberIds {
  ids: readonly ObjectId[];
  loyaltyIDs: Member['loyaltyIDs'];
}

/** A collection with records about a member: how to find them, and which part of them is about the member. */
export interface MemberSource {
  path: string;
  /** The filter of the records. */
  about(memberIds: MemberIds): Stored;
  /** The part of a record that is about the member, when the record is also about others. */
  part?(record: Stored, isOwn: (id: unknown) => boolean): unknown;
}

/** Fields by which a record belongs to one member. */
const owners = ['member', 'memberID', 'memberId'];

function ownerField({ shape }: Resource): string | undefined {
  return owners.find((name) => shape.properties[name]?.['x-ref'] === memberResource.name);
}

const profiles: readonly MemberSource[] = [
  { path: memberResource.path, about: ({ ids }) => ({ _id: { $in: ids } }) },
  { path: accountResource.path, about: ({ ids }) => ({ 'members.member': { $in: ids } }) },
];

/** Records that do not name their member in one of the {@link owners} fields. */
const others: readonly MemberSource[] = [
  {
    path: submissionResource.path,
    about: ({ ids, loyaltyIDs }) => ({
      status: 'Queued',
      partition: { $in: [...ids.map(String), ...loyaltyIDs].map(memberPartition) },
      $or: [{ 'request.activity.memberID': { $in: ids } }, { 'request.activity.loyaltyID': { $in: loyaltyIDs } }],
    }),
  },
  {
    path: metricEventsResource.path,
    about: ({ ids }) => ({ 'entries.member': { $in: ids } }),
    part: ({ entries }, isOwn) => storedList(entries).filter(({ member }) => isOwn(member)),
  },
  {
    path: eventPageResource.path,
    about: ({ ids }) => ({ about: { $in: ids.map(String) }, last: { $exists: true } }),
    part: ({ events }, isOwn) => storedList(events).filter(({ member }) => isOwn(member)),
  },
  {
    path: 'keyedrequests',
    about: ({ ids }) => ({ about: { $in: ids } }),
    part: ({ route, createdAt, answer }) => ({ route, createdAt, answer }),
  },
  { path: auditResource.path, about: ({ ids }) => ({ resource: memberResource.path, id: { $in: ids.map(String) } }) },
];

function storedList(value: unknown): Stored[] {
  return Array.isArray(value) ? (value as Stored[]) : [];
}

/**
 * Every collection with records about a member. A resource that gets one of the {@link owners} fields later is included
 * by itself.
 */
export function memberSources(resources: readonly Resource[]): MemberSource[] {
  const owned = resources.flatMap((resource): MemberSource[] => {
    const owner = ownerField(resource);
    return owner === undefined ? [] : [{ path: resource.path, about: ({ ids }) => ({ [owner]: { $in: ids } }) }];
  });
  return [...profiles, ...owned, ...others];
}
