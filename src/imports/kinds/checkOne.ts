import type { TProperties } from '@sinclair/typebox';
import { type FieldError, ServiceError, validationError } from '../../common/errors';
import type { ReadUpdate } from '../../http/collection/readUpdate';
import { referenceFaults } from '../../http/collection/referenceFaults';
import type { Request } from '../../http/route';
import { machineClockOf } from '../../orgs/orgClock';
import type { Doc, Resource } from '../../schema/resource';
import type { ImportContext, Outcome } from './importKind';

/** How a change of a record is checked. */
interface Checks<P extends TProperties> {
  resource: Resource<P>;
  readUpdate: ReadUpdate<P>;
  /** Further faults of a change. */
  faultsOf?(change: Partial<Doc<P>>, previous: Doc<P>): FieldError[];
}

/** Tells what a row would change in a record, with the checks of a single PATCH, and writes nothing. */
export async function checkOne<P extends TProperties>(
  { services, principal, now }: ImportContext,
  { resource, readUpdate, faultsOf }: Checks<P>,
  previous: Doc<P>,
  body: object,
): Promise<Outcome> {
  const request: Request = {
    ...{ services, principal, now, body, rawBody: body, params: {}, query: {}, headers: {}, requestId: 'dry-run' },
    ...{ remoteAddress: '', endsAt: Number.POSITIVE_INFINITY, machineClock: machineClockOf(services.clock) },
  };
  try {
    const { request: read, faults } = await readUpdate(previous, request);
    const change = read.body as Partial<Doc<P>>;
    const all = [
      ...faults,
      ...(await referenceFaults(resource, change, read)),
      ...(faultsOf?.(change, previous) ?? []),
    ];
    if (all.length > 0) return validationError(all);
    return Object.keys(change).length === 0 ? 'unchanged' : 'updated';
  } catch (error) {
    if (error instanceof ServiceError && error.reason !== 'unavailable') return error;
    throw error;
  }
}
