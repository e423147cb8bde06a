import { type Period, periods } from '#base/calendar/periods';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { aggregateResources } from '#records/aggregates/aggregate';

const reads = { operations: ['list', 'count', 'read'], isQueryRequired: true } as const;

/** Routes that read the aggregates of every period. List and count require the argument `query`. */
export const aggregateRoutes: Route[] = aggregateResources.flatMap((resource) => {
  const names = periods.filter(({ path }) => path === resource.path).flatMap(otherPaths);
  return readingRoutes(resource, reads).map((route) => ({
    ...route,
    aliases: names.map((name) => route.path.replace(resource.path, name)),
  }));
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
