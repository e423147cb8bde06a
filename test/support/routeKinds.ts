import { type Route, routePaths } from '#platform/http/route';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';

/** A route at one of its paths, with a title. */
export type RouteCase = [title: string, route: Route, path: string];

/** The routes that a test means, each at all its paths. */
export function routeCases(isMeant: (route: Route) => boolean = () => true): RouteCase[] {
  return allRoutes
    .filter(isMeant)
    .flatMap((route) => routePaths(route).map((path): RouteCase => [`${route.method} ${path}`, route, path]));
}

/** Access to the resources whose routes have no handlers of their own, by path. */
const shared = new Map(
  resources.flatMap(({ path, access = '' }) =>
    ['managed', 'catalog', 'ledger', 'operation'].includes(access) ? [[path, access]] : [],
  ),
);

/** Names the handler of a route. Routes that follow from the definitions of resources with the same access share theirs. */
export function handlerOf([, { method, path }]: RouteCase): string {
  const [, first = '', ...rest] = path.split('/');
  const place = rest.join('/');
  return shared.has(first) && ['', ':id', 'count'].includes(place)
    ? `${method} ${shared.get(first)} ${place}`
    : `${method} ${path}`;
}

/** Names what the mount does for a route before its handler. */
export function stepsOf([, route]: RouteCase): string {
  const { permission, body, receive, parsesBody, query = {}, openQuery, produces, prefixes } = route;
  const isPublic = permission === 'open' || permission === 'any' ? permission : 'by permission';
  const isRequired = Object.values(query).some(({ required }) => required);
  const steps = { body: body !== undefined, receive: receive !== undefined, parsesBody, openQuery, isRequired };
  return JSON.stringify([isPublic, produces, prefixes, steps]);
}
