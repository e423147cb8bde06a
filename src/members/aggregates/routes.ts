import { type Period, periodNamed, periods } from '#base/calendar/periods';
import type { Resource } from '#base/schema/resource';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { readHandlers } from '#platform/http/collection/readHandlers';
import type { Answer, Request, Route } from '#platform/http/route';
import { aggregateResources } from '#records/aggregates/aggregate';
import { lifetimeView, prepareLifetimeView } from '#records/members/lifetimeView';

const reads = { operations: ['list', 'count', 'read'], isQueryRequired: true } as const;

const lifetimePath = periodNamed('lifetime').path;

/** Routes that read the aggregates of every period. List and count require the argument `query`. */
export const aggregateRoutes: Route[] = aggregateResources.flatMap((resource) => {
  const routes = resource.path === lifetimePath ? lifetimeRoutes(resource) : readingRoutes(resource, reads);
  const names = periods.filter(({ path }) => path === resource.path).flatMap(otherPaths);
  return routes.map((route) => ({ ...route, aliases: names.map((name) => route.path.replace(resource.path, name)) }));
});

/**
 * The other paths of a period's aggregates. The specification has names with `ly` (`dailyaggregates`) and speaks of
 * half-year and year aggregates, so each period answers with and without it.
 */
function otherPaths({ unit, path }: Period): string[] {
  if (unit === 'lifetime') return [];
  const name = unit.toLowerCase();
  return [unit === 'day' ? 'daily' : `${name}ly`, name]
    .map((each) => `${each}aggregates`)
    .filter((each) => each !== path);
}

/** Makes the routes of lifetime aggregates. They read the view that also includes the aggregates stored in members. */
function lifetimeRoutes(resource: Resource): Route[] {
  const { list, count, read } = readHandlers({ ...resource, path: lifetimeView }, reads);
  const handlers = [list, count, read];
  return readingRoutes(resource, reads).map((route, index) => ({
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
