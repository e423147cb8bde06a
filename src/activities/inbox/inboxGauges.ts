import { collectionOf } from '#base/db/collections';
import { type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { submissionResource } from '#records/activities/submission';
import { allPartitions } from './partitions';

/** Most queued submissions that a scrape counts; with more, the gauge shows this number. */
export const countedMax = 100_000;

const waiting = 'loyalty_inbox_waiting';
const oldest = 'loyalty_inbox_oldest_seconds';

/** Gauges of the queued submissions of all orgs. */
export const inboxGauges: StoreGauges = {
  gauges: {
    [waiting]: { help: `Accepted activities that wait for a worker, counted up to ${countedMax}` },
    [oldest]: { help: 'Age of the accepted activity that has waited longest; 0 when none waits' },
  },
  async read({ db, clock }) {
    const submissions = collectionOf(db, submissionResource);
    // All partitions are named, so that the index of queued submissions serves both queries.
    const queued = { status: 'Queued' as const, partition: { $in: [...allPartitions] } };
    const maxTimeMS = storeGaugeLimits.queryMs;
    const [count, [first]] = await Promise.all([
      submissions.countDocuments(queued, { limit: countedMax, maxTimeMS }),
      submissions.find(queued, { maxTimeMS }).sort({ place: 1, acceptedAt: 1, _id: 1 }).limit(1).toArray(),
    ]);
    const ageMs = first ? Math.max(0, clock.now().getTime() - first.acceptedAt.getTime()) : 0;
    return { [waiting]: [{ value: count }], [oldest]: [{ value: ageMs / 1000 }] };
  },
};
