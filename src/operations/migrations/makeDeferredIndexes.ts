import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { StartError } from '#base/common/startError';
import { compareIndexes } from '#base/db/compareIndexes';
import { deferredIndexes, indexIsMade, noteIndex } from '#base/db/deferredIndexes';
import { type IndexSpec, indexLabel, indexSpecs } from '#base/db/indexSpecs';
import { taken, withLock } from '#base/db/leases/locks';
import { differing, makeIndexes } from '#base/db/makeIndexes';
import type { Resource } from '#base/schema/resource';

/** How often the progress of an index is read from MongoDB, in milliseconds. */
const lookEveryMs = 2000;

interface MakeServices {
  db: Connection;
  log: Pick<Logger, 'info' | 'error'>;
  resources: readonly Resource[];
}

/**
 * Makes the indexes that a start left to the job `indexes`, one after the other, beside the service that runs. Only one
 * process makes them; in the others it does nothing. An index that cannot be made is logged and tried again next time.
 */
export async function makeDeferredIndexes({ db, log, resources }: MakeServices): Promise<{ indexes: number }> {
  const deferred = await deferredIndexes(db);
  if (deferred.length === 0) return { indexes: 0 };
  const specs = indexSpecs(resources).filter((spec) => deferred.some(({ _id }) => _id === indexLabel(spec)));
  const made = await withLock(db, 'indexes', {}, async ({ signal }) => {
    let count = 0;
    for (const [n, spec] of specs.entries()) {
      signal.throwIfAborted();
      log.info({ index: indexLabel(spec), number: n + 1, of: specs.length }, 'making index');
      if (await makeOne({ db, log, resources }, spec)) count += 1;
    }
    return count;
  });
  return { indexes: made === taken ? 0 : made };
}

async function makeOne({ db, log, resources }: MakeServices, spec: IndexSpec): Promise<boolean> {
  const own = resources.filter(({ path }) => path === spec.collection);
  const { differing: others } = await compareIndexes(db, own, new Set([spec.collection]));
  await noteIndex(db, spec, { status: 'Building' });
  const looking = setInterval(() => void look({ db, log }, spec), lookEveryMs);
  try {
    if (others.some(({ name }) => name === spec.name)) throw new StartError(differing(spec));
    await makeIndexes(db, [spec]);
    await indexIsMade(db, spec);
    log.info({ index: indexLabel(spec) }, 'index made');
    return true;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    log.error({ index: indexLabel(spec), reason: error.message }, 'index cannot be made');
    await noteIndex(db, spec, { status: 'Failed', error: error.message });
    return false;
  } finally {
    clearInterval(looking);
  }
}

interface BuildOp {
  command?: { createIndexes?: string };
  progress?: { done: number; total: number };
}

/** Stores and logs how many documents MongoDB has looked at. Where the user may not see that, it stays unknown. */
async function look({ db, log }: Pick<MakeServices, 'db' | 'log'>, spec: IndexSpec): Promise<void> {
  try {
    const admin = db.getClient().db('admin');
    const building = { 'command.createIndexes': spec.collection, progress: { $exists: true } };
    const stages = [{ $currentOp: { allUsers: true } }, { $match: building }, { $limit: 1 }];
    const [op] = await admin.aggregate<BuildOp>(stages, { readConcern: { level: 'local' } }).toArray();
    if (!op?.progress) return;
    const { done, total } = op.progress;
    await noteIndex(db, spec, { done, total });
    log.info({ index: indexLabel(spec), done, total }, 'making index');
  } catch {
    // Its progress is a courtesy; the index is made all the same.
  }
}
