import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { eachYielding } from '#base/db/readYielding';
import { eventHeadResource } from '#records/events/eventHead';
import { type EventPage, eventPageResource } from '#records/events/eventPage';
import type { OrgCheck } from '../reconciledOrg';

/**
 * Finds gaps between the pages of events that have numbers, and pages whose size is not that of their events. From the
 * oldest page that is kept to the last number given, each number is in one page.
 */
export const eventNumbers: OrgCheck = async function* ({ db, org }) {
  if (await inSnapshot(db, (at) => isWhole(db, at, org))) return;
  for (const fault of await inSnapshot(db, (at) => numberFaults(db, at, org))) {
    yield { message: `Org ${org} ${fault}` };
  }
};

interface Numbers {
  events: number;
  sizes: number;
  first: number;
  last: number;
}

/** One sum over all pages tells whether there is any fault; which one it is takes longer. */
async function isWhole(db: Connection, at: SnapshotOptions, org: ObjectId): Promise<boolean> {
  const head = await readHead(db, at, org);
  const [numbers] = await collectionOf(db, eventPageResource)
    .aggregate<Numbers>(
      [
        { $match: { org, last: { $exists: true } } },
        {
          $group: {
            _id: null,
            events: { $sum: { $size: '$events' } },
            sizes: { $sum: '$size' },
            first: { $min: '$first' },
            last: { $max: '$last' },
          },
        },
      ],
      at,
    )
    .toArray();
  if (!numbers) return true;
  const { events, sizes, first, last } = numbers;
  return last === head && events === sizes && sizes === last - first + 1;
}

async function readHead(db: Connection, at: SnapshotOptions, org: ObjectId): Promise<number> {
  return (await collectionOf(db, eventHeadResource).findOne({ _id: org, org }, at))?.last ?? 0;
}

/** Most faults that are named. */
const faultsMax = 100;

async function numberFaults(db: Connection, at: SnapshotOptions, org: ObjectId): Promise<string[]> {
  const faults: string[] = [];
  let before: number | undefined;
  const pages = collectionOf(db, eventPageResource)
    .find({ org, last: { $exists: true } }, at)
    .hint({ org: 1, last: 1 })
    .sort({ last: 1 })
    .project<Pick<EventPage, '_id' | 'first' | 'last' | 'size'> & { events: number }>({
      first: 1,
      last: 1,
      size: 1,
      events: { $size: '$events' },
    });
  for await (const { _id, first = 0, last = 0, size, events } of eachYielding(pages)) {
    if (before !== undefined && first !== before + 1)
      faults.push(`has event page ${_id} beginning with number ${first} after number ${before}`);
    if (size !== last - first + 1 || size !== events)
      faults.push(`has event page ${_id} with ${events} events for the numbers ${first} to ${last}`);
    if (faults.length >= faultsMax) return faults;
    before = last;
  }
  const head = await readHead(db, at, org);
  if (before !== undefined && before !== head)
    faults.push(`has events up to number ${before}, but gave numbers up to ${head}`);
  return faults;
}
