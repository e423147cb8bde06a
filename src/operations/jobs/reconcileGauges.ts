import { collectionOf } from '#base/db/collections';
import { type GaugeSource, type StoreGauges, storeGaugeLimits } from '#base/metrics/storeGauges';
import { jobRunResource } from '#records/users/jobRun';
import { orgResource } from '#records/users/org';

const mismatches = 'loyalty_reconcile_mismatches';

/** Most orgs for which a scrape reads the last reconciliation. */
const orgsMax = 1000;

/** What the last reconciliations found. They run once a day, so a minute between two reads is often enough. */
export const reconcileGauges = {
  gauges: {
    [mismatches]: {
      help: 'Ledger mismatches that the last reconciliation of each org found; anything but 0 is a fault',
    },
  },
  everyMs: 60_000,
  async read({ db }: GaugeSource) {
    const maxTimeMS = storeGaugeLimits.queryMs;
    const orgs = await collectionOf(db, orgResource)
      .find({}, { projection: { _id: 1 }, maxTimeMS })
      .limit(orgsMax)
      .toArray();
    const runs = await collectionOf(db, jobRunResource)
      .aggregate<{ found: number }>(
        [
          { $match: { org: { $in: orgs.map(({ _id }) => _id) }, name: 'reconcile', ...finished } },
          { $sort: { org: 1, startedAt: -1 } },
          { $group: { _id: '$org', found: { $first: '$counts.mismatches' } } },
        ],
        { maxTimeMS },
      )
      .toArray();
    return { [mismatches]: [{ value: runs.reduce((sum, { found }) => sum + (found ?? 0), 0) }] };
  },
} satisfies StoreGauges;

const finished = { finishedAt: { $exists: true }, error: { $exists: false } };
