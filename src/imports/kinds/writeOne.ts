import assert from 'node:assert';
import { ServiceError } from '../../common/errors';
import { isTemporary } from '../../db/isTemporary';
import { uniqueFault } from '../../http/collection/uniqueFault';
import { toServiceError } from '../../http/middleware';
import type { Answer, Request, Route } from '../../http/route';
import { machineClockOf } from '../../orgs/orgClock';
import type { ImportContext, ImportServices, Outcome } from './importKind';

/** Ends the transaction of a write in a dry run. */
class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/** Creates a record as a single POST does. In a dry run everything is done but the commit. */
export async function createOne(context: ImportContext, path: string, body: object): Promise<Outcome> {
  const request = requestOf(context, body, {});
  if (context.job.dryRun) {
    request.keepAnswer = async () => {
      throw new NotWritten();
    };
  }
  try {
    await routeOf(context.services, 'POST', path).handle(request);
    return 'created';
  } catch (error) {
    return error instanceof NotWritten ? 'created' : refused(error, body);
  }
}

/** Changes a record as a single PATCH does; a record that is as the body says is not written. */
export async function updateOne(
  context: ImportContext,
  path: string,
  previous: { _id: { toHexString(): string }; updatedAt: Date },
  body: object,
): Promise<Outcome> {
  const request = requestOf(context, body, { id: previous._id.toHexString() });
  try {
    const answer: Answer = await routeOf(context.services, 'PATCH', `${path}/:id`).handle(request);
    const { updatedAt } = answer.body as { updatedAt: Date };
    return new Date(updatedAt).getTime() === previous.updatedAt.getTime() ? 'unchanged' : 'updated';
  } catch (error) {
    return refused(error, body);
  }
}

/** The outcome of a row whose write failed for itself. @throws other errors, such as those of a store that is away */
function refused(error: unknown, body: object): ServiceError {
  const fault = uniqueFault(error, body);
  if (fault instanceof ServiceError && fault.reason !== 'unavailable') return fault;
  if (isTemporary(error) || fault instanceof ServiceError) throw error;
  return toServiceError(fault);
}

function routeOf({ routes }: ImportServices, method: string, path: string): Route {
  const route = routes.find((each) => each.method === method && each.path === path);
  assert(route, `${method} ${path} is a route`);
  return route;
}

/** The request by which a row is written. Nobody waits for its answer. */
function requestOf(
  { services, principal, auditor, now }: ImportContext,
  body: object,
  params: Record<string, string>,
): Request {
  return {
    ...{ services, principal, params, now, rawBody: body, body },
    ...{ query: {}, headers: {}, remoteAddress: auditor.ip ?? '', endsAt: Number.POSITIVE_INFINITY },
    requestId: auditor.requestId,
    machineClock: machineClockOf(services.clock),
  };
}

/** The most rows of a batch that are written side by side. */
const atOnce = 8;

/** Does work for each item, some side by side, and returns the results in the order of the items. */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      results[index] = await work(items[index] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
