import type { Connection } from 'mongoose';
import type { OnProgress } from '#base/common/progressTo';
import { StartError } from '#base/common/startError';
import { mapAtOnce } from '#base/limits/semaphore';
import type { Resource } from '#base/schema/resource';
import { compareIndexes } from './compareIndexes';
import { compression, patient } from './compression';
import { deferIndexes } from './deferredIndexes';
import { type IndexSpec, indexLabel } from './indexSpecs';
import { differing, makeIndexes } from './makeIndexes';

/**
 * More documents than that make a collection large: a new index of it is made by the job `indexes`, beside the running
 * service. Below, it takes a second or two.
 */
export const largeFrom = 100_000;

/** How {@link prepareCollections} treats indexes that take long to make. */
export interface PrepareOptions {
  /**
   * Collections with more documents are large: an index that is not needed at once is left to the job `indexes`.
   * Absent: every index is made at once.
   */
  largeFrom?: number;
  onProgress?: OnProgress;
}

/**
 * Makes every collection and index that the resources declare. It must run before the first transaction.
 * @throws StartError with one line when an index cannot be made
 */
export async function prepareCollections(
  db: Connection,
  resources: readonly Resource[],
  { largeFrom = Number.POSITIVE_INFINITY, onProgress = () => undefined }: PrepareOptions = {},
): Promise<void> {
  const existing = await makeCollections(db, resources);
  const found = await compareIndexes(db, resources, existing);
  const unfit = found.differing.find(({ isNeeded }) => isNeeded);
  if (unfit) throw new StartError(differing(unfit));
  const deferred: IndexSpec[] = [];
  const now: IndexSpec[] = [];
  for (const spec of found.missing) {
    const waits = !spec.isNeeded && (await isLarge(db, spec, existing, largeFrom));
    (waits ? deferred : now).push(spec);
  }
  await makeAll(db, now, existing, onProgress);
  if (deferred.length > 0) onProgress(`The job indexes makes ${deferred.map(indexLabel).join(', ')}`);
  if (largeFrom !== Number.POSITIVE_INFINITY) await deferIndexes(db, [...deferred, ...found.differing]);
}

/** Collections that are made side by side. */
const atOnce = 16;

/**
 * Makes every collection that the resources declare.
 * @returns the names of those that were there before
 */
export async function makeCollections(db: Connection, resources: readonly Resource[]): Promise<ReadonlySet<string>> {
  const existing = new Set((await db.listCollections()).map((collection) => collection.name));
  const missing = resources.filter(({ path }) => !existing.has(path));
  const options = { ...compression, writeConcern: patient };
  // A few at a time: each takes a connection, and there are more collections than connections.
  await mapAtOnce(atOnce, missing, ({ path }) => db.createCollection(path, options).catch(ignoreExisting));
  return existing;
}

async function isLarge(db: Connection, { collection }: IndexSpec, existing: ReadonlySet<string>, largeFrom: number) {
  if (largeFrom === Number.POSITIVE_INFINITY || !existing.has(collection)) return false;
  return (await db.collection(collection).estimatedDocumentCount()) > largeFrom;
}

/** New collections are empty, so their indexes are made side by side; others one after the other, with progress. */
async function makeAll(
  db: Connection,
  specs: readonly IndexSpec[],
  existing: ReadonlySet<string>,
  onProgress: OnProgress,
): Promise<void> {
  const fresh = [...new Set(specs.map(({ collection }) => collection))].filter((each) => !existing.has(each));
  await Promise.all(
    fresh.map((each) =>
      makeIndexes(
        db,
        specs.filter(({ collection }) => collection === each),
      ),
    ),
  );
  const left = specs.filter(({ collection }) => existing.has(collection));
  for (const [made, spec] of left.entries()) {
    onProgress(`Making index ${indexLabel(spec)} (${made + 1} of ${left.length})`, true);
    await makeIndexes(db, [spec]);
  }
}

const namespaceExists = 48;

/** Two processes that start at the same time both try to make the collections. */
function ignoreExisting(error: unknown): void {
  if ((error as { code?: number }).code !== namespaceExists) throw error;
}
