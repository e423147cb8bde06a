import { Router } from '@koa/router';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Context, RequestState } from './requestState';
import { apiPrefix } from './route';

type Dispatch = (...args: Parameters<ReturnType<Router<RequestState>['routes']>>) => unknown;

/**
 * One router for each resource, because a router tries all its routes for each request. With all routes in one router,
 * this was measured as a fifth of the HTTP cost of a small request.
 */
export interface Routers {
  /** Returns the router for the resource of a path or pattern, and makes it when there is none. */
  to(path: string): Router<RequestState>;
  /** Returns the router for the resource of a requested path. */
  find(path: string): Router<RequestState> | undefined;
  /** The middleware that passes a request to the router of its path. */
  answer: Dispatch;
}

/** Makes routers without any route. */
export function createRouters(): Routers {
  const byResource = new Map<string, Router<RequestState>>();
  const answers = new Map<string, Dispatch>();
  return {
    to(path) {
      const resource = resourceSegment(path);
      const known = byResource.get(resource);
      if (known) return known;
      const router = new Router<RequestState>({ exclusive: 'specificity', sensitive: true });
      byResource.set(resource, router);
      answers.set(resource, router.routes());
      return router;
    },
    find: (path) => byResource.get(resourceSegment(path)),
    answer(ctx, next) {
      const answer = answers.get(resourceSegment(ctx.path));
      return answer ? answer(ctx, next) : next();
    },
  };
}

/** Returns the first segment of a path below the prefix. It is never a parameter. */
function resourceSegment(path: string): string {
  const start = path.startsWith(`${apiPrefix}/`) ? apiPrefix.length + 1 : 1;
  const end = path.indexOf('/', start);
  return end < 0 ? path.slice(start) : path.slice(start, end);
}

/**
 * Makes the middleware for requests that no route answers. On a known path it answers 405 with `Allow`, or 204 with
 * `Allow` for OPTIONS; else 404. When several routes match, those with the fewest parameters name the methods, as in
 * the mount.
 */
export function unmatched(routers: Routers): (ctx: Context) => Promise<void> {
  return async (ctx) => {
    const layers = routers.find(ctx.path)?.match(ctx.path, ctx.method).path ?? [];
    const fewest = Math.min(...layers.map(({ paramNames }) => paramNames.length));
    const closest = layers.filter(({ paramNames }) => paramNames.length === fewest);
    const methods = new Set(closest.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new ServiceError('notFound', message('http.noPath'));
    const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
    if (ctx.method !== 'OPTIONS') {
      throw new ServiceError('methodNotAllowed', message('http.methodsOfPath', { methods: headers.Allow }), {
        headers,
      });
    }
    ctx.status = 204;
    ctx.set(headers);
  };
}
