import Koa from 'koa';
import compress from 'koa-compress';
import { createAuthenticate } from './auth/authenticate';
import {
  allowOrigins,
  answerErrors,
  compressedFrom,
  logRequests,
  measure,
  requestId,
  securityHeaders,
} from './http/middleware';
import { mount } from './http/mount';
import { docsRoutes } from './http/openApi/docs';
import type { Route } from './http/route';
import { unmatched } from './http/routers';
import type { RequestState } from './http/state';
import { evaluateBody } from './preprocess/evaluateBody';
import { allRoutes } from './routes';
import type { Services } from './services/services';

/** Makes the HTTP application: the middleware that every request passes, then the routes. It does not listen yet. */
export function createApp(services: Services, documented: readonly Route[] = allRoutes): Koa<RequestState> {
  const { log, config, resources } = services;
  const app = new Koa<RequestState>();
  const routes = [...documented, ...docsRoutes(documented, resources)];
  const routers = mount(routes, { services, authenticate: createAuthenticate(services), evaluateBody });
  app.use(requestId);
  app.use(logRequests(log));
  app.use(measure);
  app.use(securityHeaders());
  app.use(allowOrigins(config));
  app.use(compress({ threshold: compressedFrom }));
  app.use(answerErrors(log));
  app.use(routers.answer);
  app.use(unmatched(routers));
  // Errors after the answer has begun, mostly because the client closed the connection.
  app.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code ?? error.name }, 'connection'));
  return app;
}
