import type { TProperties } from '@sinclair/typebox';
import { ServiceError, validationError } from '#base/common/errors';
import type { Doc, Resource } from '#base/schema/resource';
import type { ReadUpdate } from '#platform/http/collection/readUpdate';
import { referenceFaults } from '#platform/http/collection/referenceFaults';
import type { ImportContext, Outcome } from './importKind';
import { requestOf } from './writeOne';

/** How a change of a record is checked. */
interface Checks<P extends TProperties> {
  resource: Resource<P>;
  readUpdate: ReadUpdate<P>;
  /** Refuses a change for further faults. @throws ServiceError */
  refuse?(change: Partial<Doc<P>>, previous: Doc<P>): Promise<void>;
}

/** Tells what a row would change in a record, with the checks of a single PATCH, and writes nothing. */
export function checkOne<P extends TProperties>(
  context: ImportContext,
  { resource, readUpdate, refuse }: Checks<P>,
  previous: Doc<P>,
  body: object,
): Promise<Outcome> {
  return outcomeOf(async () => {
    const { request: read, faults } = await readUpdate(previous, requestOf(context, body, {}));
    const change = read.body as Partial<Doc<P>>;
    if (faults.length === 0 && Object.keys(change).length === 0) return 'unchanged';
    const all = [...faults, ...(await referenceFaults(resource, change, read))];
    if (all.length > 0) return validationError(all);
    await refuse?.(change, previous);
    return 'updated';
  });
}

/** Tells whether a row may create a record, with the checks of a single POST, and writes nothing. */
export function checkNew(context: ImportContext, resource: Resource, body: object): Promise<Outcome> {
  return outcomeOf(async () => {
    const faults = await referenceFaults(resource, body, requestOf(context, body, {}));
    return faults.length > 0 ? validationError(faults) : 'created';
  });
}

/** The outcome of a check. @throws other errors than refusals, such as those of a store that is away */
export async function outcomeOf(check: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ServiceError && error.reason !== 'unavailable') return error;
    throw error;
  }
}
