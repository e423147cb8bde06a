import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from '#base/schema/resource';

/** The most records that one command deletes, so that it stays within the limits of a request to MongoDB. */
const batchMax = 5000;

/** Deletes the records of an org in a resource, in batches. Returns their number. */
export async function deleteRecords(
  db: Connection,
  { path }: Resource,
  org: ObjectId,
  beforeBatch: () => Promise<void>,
): Promise<number> {
  const records = db.collection<{ _id: ObjectId; org: ObjectId }>(path);
  let count = 0;
  for (;;) {
    const found = await records
      .find({ org }, { projection: { _id: 1 } })
      .limit(batchMax)
      .toArray();
    if (found.length === 0) return count;
    await beforeBatch();
    const { deletedCount } = await records.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, org });
    count += deletedCount;
  }
}
