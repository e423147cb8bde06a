import assert from 'node:assert';
import { Binary, type ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { SnapshotOptions } from '#base/db/inSnapshot';
import { archivedPageResource } from './archivedPage';
import { archiveVolumeResource } from './archiveVolume';

/** The number of bytes of an id. */
const idBytes = 12;

/** The fields of a page that has these ids. */
export function packIds(ids: readonly ObjectId[]): { first: ObjectId; last: ObjectId; ids: Binary } {
  const sorted = [...ids].sort((a, b) => Buffer.compare(a.id, b.id));
  const [first, last] = [sorted[0], sorted.at(-1)];
  assert(first && last, 'a page has an id');
  return { first, last, ids: new Binary(Buffer.concat(sorted.map(({ id }) => id))) };
}

/** The ids of a page, as hexadecimal strings. */
function unpackIds(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex');
  return Array.from({ length: hex.length / (2 * idBytes) }, (_, n) =>
    hex.slice(2 * idBytes * n, 2 * idBytes * (n + 1)),
  );
}

/** The volume of an archived activity, and when the activity was moved there. */
export interface ArchivedActivity {
  volume: string;
  at: Date;
}

/** Those of these activities that are in the archive, by hexadecimal id. */
export async function findArchived(
  db: Connection,
  org: ObjectId,
  ids: readonly ObjectId[],
): Promise<Map<string, ArchivedActivity>> {
  const found = new Map<string, ArchivedActivity>();
  for (const id of ids) {
    const pages = await collectionOf(db, archivedPageResource)
      .find({ org, last: { $gte: id }, first: { $lte: id } })
      .toArray();
    const page = pages.find(({ ids: packed }) => unpackIds(packed.buffer).includes(id.toHexString()));
    if (!page) continue;
    const volume = await collectionOf(db, archiveVolumeResource).findOne({ _id: page.volume, org });
    found.set(id.toHexString(), { volume: volume?.name ?? page.volume.toHexString(), at: page.createdAt });
  }
  return found;
}

/** The instant before which records of an org may be in the archive; undefined when it has none there. */
export async function readArchivedBefore(db: Connection, org: ObjectId): Promise<Date | undefined> {
  const moved = { org, removed: { $gt: 0 } };
  const [latest] = await collectionOf(db, archiveVolumeResource).find(moved).sort({ before: -1 }).limit(1).toArray();
  return latest?.before;
}

/** The answer to a request that needs an activity which is in the archive. */
export function archivedError({ volume, at }: ArchivedActivity): ServiceError {
  return new ServiceError('archived', message('activities.archived', { volume, day: at.toISOString().slice(0, 10) }));
}

/** The answer to a question about a time before the points of a member that are not archived. */
export function archivedPeriodError(member: ObjectId, at: Date): ServiceError {
  return new ServiceError(
    'archivedPeriod',
    message('members.archivedPeriod', { member: member.toHexString(), until: at.toISOString() }),
  );
}

/** The answer to a request that needs an activity which is archived; undefined when it is not. */
export async function archivedAnswer(db: Connection, org: ObjectId, id: ObjectId): Promise<ServiceError | undefined> {
  const archived = (await findArchived(db, org, [id])).get(id.toHexString());
  return archived && archivedError(archived);
}

/** Hexadecimal ids of activities. */
export type ActivityIds = { readonly size: number; has(hex: string): boolean };

/**
 * All archived activities of an org. They stay archived, so what was read once may be used later. It holds 12 bytes for
 * each.
 */
export async function loadArchivedIds(db: Connection, org: ObjectId): Promise<ActivityIds> {
  const sorted = await sortedLists(collectionOf(db, archivedPageResource).find({ org }).sort({ _id: 1 }));
  return {
    size: sorted.reduce((sum, { length }) => sum + length / idBytes, 0),
    has: (hex) => sorted.some((list) => includesId(list, Buffer.from(hex, 'hex'))),
  };
}

/** Pages of ids, in the order in which they were stored. */
type Pages = AsyncIterable<{ ids: Binary }>;

/** The ids of pages as packed lists, each in order. A run goes through the ids in order, so each run makes one list. */
async function sortedLists(pages: Pages): Promise<Buffer[]> {
  const lists: Buffer[][] = [];
  for await (const { ids } of pages) {
    const page = Buffer.from(ids.buffer);
    const list = lists.at(-1);
    const before = list?.at(-1);
    if (list && before && Buffer.compare(before.subarray(-idBytes), page.subarray(0, idBytes)) < 0) list.push(page);
    else lists.push([page]);
  }
  return lists.map((list) => Buffer.concat(list));
}

/** How many ids pages have, and how many of them are different. */
export async function countPackedIds(pages: Pages): Promise<{ ids: number; distinct: number }> {
  const lists = await sortedLists(pages);
  let [ids, repeated] = [0, 0];
  for (const [n, list] of lists.entries()) {
    for (let start = 0; start < list.length; start += idBytes) {
      const id = list.subarray(start, start + idBytes);
      ids += 1;
      if (lists.slice(0, n).some((other) => includesId(other, id))) repeated += 1;
    }
  }
  return { ids, distinct: ids - repeated };
}

/** Whether a list of packed ids, in order, has an id. */
function includesId(sorted: Buffer, id: Buffer): boolean {
  let [low, high] = [0, sorted.length / idBytes];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = Buffer.compare(sorted.subarray(middle * idBytes, (middle + 1) * idBytes), id);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** Those of these activities that are in the archive as a snapshot shows it, as hexadecimal ids. */
export async function readArchivedAmong(
  db: Connection,
  at: SnapshotOptions,
  org: ObjectId,
  ids: readonly ObjectId[],
): Promise<Set<string>> {
  const ordered = [...ids].sort((a, b) => Buffer.compare(a.id, b.id));
  const [first, last] = [ordered[0], ordered.at(-1)];
  if (!first || !last) return new Set();
  const wanted = new Set(ids.map((id) => id.toHexString()));
  const pages = await collectionOf(db, archivedPageResource)
    .find({ org, last: { $gte: first }, first: { $lte: last } }, at)
    .toArray();
  return new Set(pages.flatMap(({ ids: packed }) => unpackIds(packed.buffer).filter((id) => wanted.has(id))));
}
