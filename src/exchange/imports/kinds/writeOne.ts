import assert from 'node:assert';
import type { ClientSession } from 'mongoose';
import { elapsedMs } from '#base/common/clock';
import { boundTo } from '#base/db/boundConnection';
import type { Request, Route } from '#platform/http/route';
import { machineClockOf } from '#platform/orgs/orgClock';
import { importLimits } from '../importLimits';
import { DividedBatch, type ImportContext, type ImportServices } from './importKind';

/** The context of a batch whose every read and write is part of the open transaction of a session. */
export function inSession(context: ImportContext, session: ClientSession): ImportContext {
  const { services } = context;
  return { ...context, services: { ...services, db: boundTo(services.db, session) } };
}

/** Creates a record as a single POST does. @throws as its route */
export async function createOne(context: ImportContext, path: string, body: object): Promise<void> {
  await routeOf(context.services, 'POST', path).handle(requestOf(context, body, {}));
}

/** Changes a record as a single PATCH does. @throws as its route */
export async function updateOne(
  context: ImportContext,
  path: string,
  { _id }: { _id: { toHexString(): string } },
  body: object,
): Promise<void> {
  await routeOf(context.services, 'PATCH', `${path}/:id`).handle(requestOf(context, body, { id: _id.toHexString() }));
}

/**
 * Writes items one after the other, as the session of a transaction needs it.
 * @throws DividedBatch when several take so long that the store might abort the transaction
 */
export async function inOrder<T>(items: readonly T[], write: (item: T, index: number) => Promise<void>): Promise<void> {
  const startedAt = elapsedMs();
  for (const [index, item] of items.entries()) {
    if (index > 0 && elapsedMs() - startedAt > importLimits.routeWritesMs) throw new DividedBatch();
    await write(item, index);
  }
}

function routeOf({ routes }: ImportServices, method: string, path: string): Route {
  const route = routes.find((each) => each.method === method && each.path === path);
  assert(route, `${method} ${path} is a route`);
  return route;
}

/** The request by which a row is checked or written. Nobody waits for its answer. */
export function requestOf(
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

/** The most rows of a batch that are checked side by side. */
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
