import Koa from 'koa';
import compress from 'koa-compress';
import { createAuthenticate } from '#platform/auth/authenticate';
import { requireHolders } from '#platform/auth/requireHolders';
import { metricsRoute } from '#platform/http/metrics';
import {
  allowOrigins,
  answerErrors,
  compressedFrom,
  logRequests,
  measure,
  refuseRepeatedHeaders,
  requestId,
  securityHeaders,
} from '#platform/http/middleware';
import { mount } from '#platform/http/mount';
import { docsRoutes } from '#platform/http/openApi/docs';
import type { RequestState } from '#platform/http/requestState';
import type { Route } from '#platform/http/route';
import { unmatched } from '#platform/http/routers';
import { traceRequests } from '#platform/http/traceRequests';
import { evaluateBody } from '#platform/preprocess/evaluateBody';
import { serveConsole } from '#server/consoleFiles/serveConsole';
import { resources } from '#server/services/resources';
import type { Services } from '#server/services/services';
import { healthRoutes } from './health';
import { allRoutes } from './routes';

/** The documentation of all routes. Its document is the same for every application of a process. */
const docs = docsRoutes(allRoutes, resources);

/**
 * Makes the HTTP application of an API process: these routes, their documentation and the console. It does not listen yet.
 * @throws StartError when no role has the permission of a route
 */
export function createApp(services: Services, documented: readonly Route[] = allRoutes): Koa<RequestState> {
  requireHolders(documented, services.resources);
  const documentation = documented === allRoutes ? docs : docsRoutes(documented, services.resources);
  const console = serveConsole({ oidc: services.oidc !== undefined });
  return assembleApp(services, [...documented, ...documentation], console);
}

/** Makes the HTTP application of a worker process, which only has health and metrics. */
export function createWorkerApp(services: Services): Koa<RequestState> {
  return assembleApp(services, [...healthRoutes, metricsRoute], (_ctx, next) => next());
}

/** The middleware that every request passes, then the pages of the console, then the routes. */
function assembleApp(
  services: Services,
  routes: readonly Route[],
  pages: Koa.Middleware<RequestState>,
): Koa<RequestState> {
  const { log, config, tracer } = services;
  const app = new Koa<RequestState>();
  const routers = mount(routes, { services, authenticate: createAuthenticate(services), evaluateBody });
  app.use(requestId);
  if (tracer) app.use(traceRequests(tracer));
  app.use(logRequests(log, config));
  app.use(measure);
  app.use(securityHeaders());
  app.use(allowOrigins(config));
  app.use(compress({ threshold: compressedFrom }));
  app.use(answerErrors(log));
  app.use(refuseRepeatedHeaders);
  app.use(pages);
  app.use(routers.answer);
  app.use(unmatched(routers));
  // Errors after the answer has begun, mostly because the client closed the connection.
  app.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code ?? error.name }, 'connection'));
  return app;
}
