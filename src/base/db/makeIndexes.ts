import { type Connection, mongo } from 'mongoose';
import { StartError } from '#base/common/startError';
import { patient } from './compression';
import { type IndexSpec, indexLabel } from './indexSpecs';
import { readDuplicateKey } from './readDuplicateKey';

/** Making an index over existing documents may take minutes. The driver takes these options without their types. */
const indexing: mongo.CreateIndexesOptions & { socketTimeoutMS: number; writeConcern: typeof patient } = {
  socketTimeoutMS: 0,
  writeConcern: patient,
};

/**
 * Makes indexes of one collection, with one command.
 * @throws StartError with one line that names the index, why it cannot be made, and what to do
 */
export async function makeIndexes(db: Connection, specs: readonly IndexSpec[]): Promise<void> {
  const [first] = specs;
  if (!first) return;
  const collection = db.collection(first.collection);
  const wanted = specs.map(({ collection: _in, name: _name, isNeeded: _isNeeded, ...spec }) => spec);
  await collection.createIndexes(wanted, indexing).catch(async (error: unknown) => {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    // The error of a command does not say which of its indexes failed.
    for (const spec of specs.length > 1 ? specs : []) await makeIndexes(db, [spec]);
    throw new StartError(indexFault(first, error));
  });
}

const codes = { duplicateKey: 11000, outOfDiskSpace: 14031, optionsConflict: 85, keySpecsConflict: 86 } as const;

/** Says in one line why an index cannot be made, and what to do. */
export function indexFault(spec: IndexSpec, error: mongo.MongoServerError): string {
  const failed = `Index ${indexLabel(spec)} cannot be made`;
  const repeated = readDuplicateKey(error);
  if (error.code === codes.duplicateKey) {
    const fields = Object.keys(spec.key).join(', ');
    const values = [...(repeated ?? [])].map(([field, value]) => `${field} ${JSON.stringify(value)}`).join(', ');
    return `${failed}: records of ${spec.collection} have the same ${fields}${values ? ` (${values})` : ''}, of which there may be one only. Change or delete all but one, then start again`;
  }
  if (error.code === codes.outOfDiskSpace) {
    return `${failed}: the disk of MongoDB is too full. Free or add space, then start again`;
  }
  if (error.code === codes.optionsConflict || error.code === codes.keySpecsConflict) return differing(spec);
  return `${failed}: MongoDB answers ${String(error.codeName ?? error.code)}. Its log says more`;
}

/** Says in one line that an index is there with other options, and what to do. */
export function differing(spec: IndexSpec): string {
  return `Index ${indexLabel(spec)} is there with other fields or options than this version needs; npm run migrate -- indexes --prune makes it anew`;
}
