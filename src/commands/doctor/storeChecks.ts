import { dayMs, hourMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { compareIndexes } from '#base/db/compareIndexes';
import { deferredIndexes } from '#base/db/deferredIndexes';
import { indexLabel } from '#base/db/indexSpecs';
import { overdueJobs } from '#operations/jobs/overdueJobs';
import { requirePending } from '#operations/migrations/migrate';
import { livingProcesses } from '#operations/migrations/processes';
import { isOfShardKey } from '#operations/sharding/shardScript';
import { submissionResource } from '#records/activities/submission';
import { jobRunResource } from '#records/users/jobRun';
import { resources } from '#server/services/resources';
import { type Check, failure, first, ok, warning } from './check';
import { gigabytes } from './mongodbChecks';

/** How long an accepted activity may wait: longer is a warning, much longer a failure. */
const waitingMs = { warning: 60_000, failure: hourMs } as const;

/** Checks of what the service stored, and of the processes that use it. */
export const storeChecks: readonly Check[] = [
  {
    name: 'store.migrations',
    async run({ db }) {
      const pending = await requirePending(db);
      if (pending.length === 0) return ok('all are done');
      return failure(`${pending.length} are missing`, 'Start the service, or run npm run migrate -- up.');
    },
  },
  {
    name: 'store.indexes',
    async run({ db }) {
      const existing = new Set((await db.listCollections()).map(({ name }) => name));
      const { missing, differing, extra: others } = await compareIndexes(db, resources, existing);
      const extra = others.filter((each) => !isOfShardKey(each));
      const building = (await deferredIndexes(db)).filter(({ status }) => status !== 'Failed').length;
      const needed = [...missing, ...differing].filter(({ isNeeded }) => isNeeded);
      const remake = 'Run npm run migrate -- indexes --prune.';
      return first(
        [
          needed.length > 0 &&
            failure(`wrong or missing: ${needed.map(indexLabel).join(', ')}`, `Start the service. ${remake}`),
          differing.length > 0 && warning(`differ: ${differing.map(indexLabel).join(', ')}`, remake),
          missing.length > 0 &&
            warning(
              `missing: ${missing.map(indexLabel).join(', ')} (${building} left to the job indexes)`,
              'Wait for the job indexes; it needs a worker.',
            ),
          extra.length > 0 && warning(`not used: ${extra.map(indexLabel).join(', ')}`, remake),
        ],
        'all are there',
      );
    },
  },
  {
    name: 'store.processes',
    async run({ db }) {
      const living = await livingProcesses(db);
      const versions = new Set(living.map(({ version, build }) => `${version} (build ${build})`));
      const does = (role: string) => living.some((each) => each.role === role || each.role === 'all');
      const found = `${living.length} live${versions.size > 0 ? `, ${[...versions].join(' and ')}` : ''}`;
      return first(
        [
          living.length === 0 && warning(found, 'Start the service.'),
          living.length > 0 &&
            !does('worker') &&
            failure('no worker lives', 'Start a worker: accepted activities wait, and nothing expires.'),
          living.length > 0 && !does('api') && warning('no API lives', 'Start an API.'),
          versions.size > 1 &&
            warning(found, 'End the processes of the earlier version; npm run migrate -- status lists them.'),
        ],
        found,
      );
    },
  },
  {
    name: 'store.timers',
    async run(at) {
      const overdue = await overdueJobs(at, at.now);
      if (overdue.length === 0) return ok('all ran in time');
      const names = overdue.map(({ name, lastFinishedAt }) => `${name} (${lastFinishedAt?.toISOString() ?? 'never'})`);
      return failure(
        `overdue: ${names.join(', ')}`,
        'Start a worker; GET /api/v1/jobs has the errors of the last runs.',
      );
    },
  },
  {
    name: 'store.jobs',
    async run({ db, now }) {
      const since = { $gte: new Date(now.getTime() - dayMs) };
      const names = await collectionOf(db, jobRunResource).distinct('name', {
        startedAt: since,
        error: { $exists: true },
      });
      if (names.length === 0) return ok('none failed in a day');
      return warning(
        `failed in the last day: ${names.join(', ')}`,
        'GET /api/v1/jobs names the errors, the log has more.',
      );
    },
  },
  {
    name: 'store.inbox',
    async run({ db, now }) {
      const submissions = collectionOf(db, submissionResource);
      const oldest = await submissions.find({ status: 'Queued' }).sort({ place: 1 }).limit(1).next();
      if (!oldest) return ok('nothing waits');
      const ageMs = now.getTime() - oldest.acceptedAt.getTime();
      const found = `the oldest activity has waited ${Math.round(ageMs / 1000)} s`;
      const advice = 'Start a worker, or more of them; look for "submission failed" in their logs.';
      if (ageMs > waitingMs.failure) return failure(found, advice);
      return ageMs > waitingMs.warning ? warning(found, advice) : ok(found);
    },
  },
  {
    name: 'store.lost',
    async run({ db, now }) {
      const since = { $gte: new Date(now.getTime() - 7 * dayMs) };
      const lost = { status: 'Error' as const, 'outcome.errors.code': 1300, updatedAt: since };
      const count = await collectionOf(db, submissionResource).countDocuments(lost, { limit: 1000 });
      if (count === 0) return ok('none in a week');
      return failure(
        `${count} accepted activities ended in an error of the service`,
        'Mend the cause, then post them again with new keys.',
      );
    },
  },
  {
    name: 'store.sizes',
    async run({ db }) {
      const names = (await db.listCollections()).filter(({ type }) => type !== 'view').map(({ name }) => name);
      const sizes: { name: string; count: number; bytes: number }[] = [];
      for (const name of names) {
        const [stats] = await db
          .collection(name)
          .aggregate([{ $collStats: { storageStats: {} } }])
          .toArray();
        const { storageSize = 0, totalIndexSize = 0, count = 0 } = stats?.storageStats ?? {};
        sizes.push({ name, count, bytes: storageSize + totalIndexSize });
      }
      const largest = sizes.sort((left, right) => right.bytes - left.bytes).slice(0, 3);
      return ok(largest.map(({ name, bytes, count }) => `${name} ${gigabytes(bytes)} (${count})`).join(', '));
    },
  },
];
