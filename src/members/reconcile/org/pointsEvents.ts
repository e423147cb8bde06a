import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { eventPageResource } from '#records/events/eventPage';
import { type Member, memberResource } from '#records/members/member';
import { memberMismatch } from '../checkInvariants';
import type { OrgCheck } from '../reconciledOrg';
import { isForgetful } from './keptEvents';
import { mergedById } from './mergedById';

/** What the events of a member say about its journal. */
interface EventSums {
  _id: ObjectId;
  /** The entries that they count together, and the numbers of the first and the last of them. */
  entries: number;
  first: number | null;
  last: number | null;
  points: number;
  /** How many say that the member was created. A seeded member has no events for its past. */
  created: number;
}

type Counted = Pick<Member, '_id' | 'seq'> & { points: number };

/**
 * Finds events of points that are missing or that no commit wrote: together they count each entry of a member's journal
 * once, up to its last, and their points are its balance.
 */
export const pointsEvents: OrgCheck = async function* ({ db, org }) {
  const isPartial = await isForgetful(db, org);
  const members = eachYielding(memberSums(db, undefined, { org }));
  const sums = eachYielding(eventSums(db, undefined, [{ org }]));
  for await (const { id, first: member, second: events } of mergedById(members, sums)) {
    if (!member || !events || faultsOf(member, events, isPartial).length === 0) continue;
    const faults = await inSnapshot(db, (at) => confirmed(db, at, org, { id, isPartial }));
    for (const fault of faults) yield memberMismatch(id, fault);
  }
};

async function confirmed(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  { id, isPartial }: { id: ObjectId; isPartial: boolean },
): Promise<string[]> {
  const [member] = await memberSums(db, at, { org, _id: id }).toArray();
  const about = id.toHexString();
  const numbered = await eventSums(db, at, [{ org, about, last: { $exists: true } }], id).toArray();
  const waiting = await eventSums(db, at, [{ org, waits: true, about }], id).toArray();
  const sums = [...numbered, ...waiting].reduce<EventSums | undefined>(
    (sum, each) => (sum ? together(sum, each) : each),
    undefined,
  );
  return member && sums ? faultsOf(member, sums, isPartial) : [];
}

function together(one: EventSums, other: EventSums): EventSums {
  const firsts = [one.first, other.first].filter((first) => first !== null);
  const lasts = [one.last, other.last].filter((last) => last !== null);
  return {
    _id: one._id,
    entries: one.entries + other.entries,
    first: firsts.length > 0 ? Math.min(...firsts) : null,
    last: lasts.length > 0 ? Math.max(...lasts) : null,
    points: one.points + other.points,
    created: one.created + other.created,
  };
}

function faultsOf({ seq, points: balance }: Counted, sums: EventSums, isPartial: boolean): string[] {
  const { entries, first, last, points, created } = sums;
  const mustBeginAtOne = created > 0 && !isPartial;
  if (first === null || last === null)
    return mustBeginAtOne && seq > 0 ? [`no event has its ${seq} journal entries`] : [];
  const faults = [
    ...(last === seq ? [] : [`its events go to journal entry ${last}, but the journal to ${seq}`]),
    ...(mustBeginAtOne && first !== 1 ? [`its events begin with journal entry ${first}`] : []),
    ...(entries === last - first + 1 ? [] : [`its events count ${entries} journal entries from ${first} to ${last}`]),
  ];
  if (faults.length > 0 || first !== 1 || points === balance) return faults;
  return [`its events have ${points} points together, but its balance is ${balance}`];
}

function memberSums(db: Connection, at: SnapshotOptions | undefined, filter: object) {
  return collectionOf(db, memberResource)
    .find(filter, at)
    .sort({ _id: 1 })
    .project<Counted>({ seq: 1, points: { $sum: '$purses.balance' } });
}

/** The sums of events by member, in order of id. */
function eventSums(db: Connection, at: SnapshotOptions | undefined, filters: object[], only?: ObjectId) {
  const isLedger = { $ne: [{ $type: '$events.data.seq' }, 'missing'] };
  const firstSeq = { $add: [{ $subtract: ['$events.data.seq', '$events.data.entries'] }, 1] };
  return collectionOf(db, eventPageResource).aggregate<EventSums>(
    [
      { $match: { $and: filters } },
      {
        $project: {
          'events.type': 1,
          'events.member': 1,
          'events.data.seq': 1,
          'events.data.entries': 1,
          'events.data.points': 1,
        },
      },
      { $unwind: '$events' },
      {
        $match: {
          $or: [{ 'events.data.seq': { $exists: true } }, { 'events.type': 'member.created' }],
          ...(only ? { 'events.member': only } : {}),
        },
      },
      {
        $group: {
          _id: '$events.member',
          entries: { $sum: '$events.data.entries' },
          first: { $min: { $cond: [isLedger, firstSeq, null] } },
          last: { $max: { $cond: [isLedger, '$events.data.seq', null] } },
          points: { $sum: { $cond: [isLedger, '$events.data.points', 0] } },
          created: { $sum: { $cond: [{ $eq: ['$events.type', 'member.created'] }, 1, 0] } },
        },
      },
      { $sort: { _id: 1 } },
    ],
    { ...at, allowDiskUse: true },
  );
}
