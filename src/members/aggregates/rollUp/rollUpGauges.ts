import { collectionOf } from '#base/db/collections';
import { type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { metricEventsResource } from '#records/aggregates/metricEvents';

const lag = 'loyalty_rollup_lag_seconds';

/** How far the aggregates lag behind the commits. */
export const rollUpGauges: StoreGauges = {
  gauges: { [lag]: { help: 'Age of the oldest commit that is not in the aggregates yet; 0 when all are' } },
  async read({ db, clock }) {
    const [first] = await collectionOf(db, metricEventsResource)
      .find({}, { projection: { createdAt: 1 }, maxTimeMS: storeGaugeLimits.queryMs })
      .sort({ _id: 1 })
      .limit(1)
      .toArray();
    const ageMs = first ? Math.max(0, clock.now().getTime() - first.createdAt.getTime()) : 0;
    return { [lag]: [{ value: ageMs / 1000 }] };
  },
};
