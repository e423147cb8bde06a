import { periodNamed } from '../calendar/periods';
import { collectionRoutes } from '../http/collection/collectionRoutes';
import { readHandlers } from '../http/collection/readHandlers';
import type { Answer, Request, Route } from '../http/route';
import { aggregateResources } from '../records/aggregates/aggregate';
import type { Resource } from '../schema/resource';
import { lifetimeView, prepareLifetimeView } from './lifetimeView';

const reads = { operations: ['list', 'count', 'read'], isQueryRequired: true } as const;

const lifetimePath = periodNamed('lifetime').path;

/** Routes that read the aggregates of every period. List and count require the argument `query`. */
export const aggregateRoutes: Route[] = aggregateResources.flatMap((resource) =>
  resource.path === lifetimePath ? lifetimeRoutes(resource) : collectionRoutes(resource, reads),
);

/** Makes the routes of lifetime aggregates. They read the view that also includes the aggregates stored in members. */
function lifetimeRoutes(resource: Resource): Route[] {
  const { list, count, read } = readHandlers({ ...resource, path: lifetimeView }, reads);
  const handlers = [list, count, read];
  return collectionRoutes(resource, reads).map((route, index) => ({
    ...route,
    handle: fromView(handlers[index] ?? route.handle),
  }));
}

function fromView(handle: (request: Request) => Promise<Answer>): (request: Request) => Promise<Answer> {
  return async (request) => {
    await prepareLifetimeView(request.services.db);
    const { headers, ...answer } = await handle(request);
    if (headers?.Link === undefined) return { ...answer, ...(headers ? { headers } : {}) };
    return { ...answer, headers: { ...headers, Link: headers.Link.replace(lifetimeView, lifetimePath) } };
  };
}
