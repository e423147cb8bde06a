import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { eventPageResource } from '#records/events/eventPage';

/** Pages that are deleted at once. */
const pagesMax = 500;

/**
 * Deletes the events of an org that got their ids more than `RETAIN_EVENTS` days ago, those with the smallest ids
 * first. So the events that are kept have no gap, also after a run that was killed.
 * @returns how many events were deleted; 0 when events are kept forever
 */
export async function forgetEvents(
  { db, config }: Pick<Infrastructure, 'db' | 'config'>,
  { org, now }: { org: ObjectId; now: Date },
): Promise<{ events: number }> {
  if (config.RETAIN_EVENTS === 0) return { events: 0 };
  const pages = collectionOf(db, eventPageResource);
  const before = now.getTime() - config.RETAIN_EVENTS * dayMs;
  for (let events = 0; ; ) {
    const oldest = await pages
      .find({ org, last: { $exists: true } }, { projection: { last: 1, size: 1, numberedAt: 1 } })
      .hint({ org: 1, last: 1 })
      .sort({ last: 1 })
      .limit(pagesMax)
      .toArray();
    const firstKept = oldest.findIndex(({ numberedAt = now }) => numberedAt.getTime() >= before);
    const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    const last = old.at(-1)?.last;
    if (last === undefined) return { events };
    // One after the other, so that a killed run leaves no gap.
    for (const { _id, size } of old) {
      const { deletedCount } = await pages.deleteOne({ _id, org });
      events += deletedCount * size;
    }
  }
}
