import { randomUUID } from 'node:crypto';
import Koa from 'koa';
import compress, { type ThresholdFunction } from 'koa-compress';
import { createAuthenticate } from './auth/authenticate';
import { answerErrors } from './http/answerError';
import { logRequests } from './http/logRequests';
import { measure } from './http/metrics';
import { mount } from './http/mount';
import { docsRoutes } from './http/openApi/docs';
import type { Route } from './http/route';
import { allowOrigins, securityHeaders } from './http/secure';
import type { Context, Next, RequestState } from './http/state';
import { unmatched } from './http/unmatched';
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

/**
 * The size in bytes from which an answer is compressed. It is infinite for a client that sends no `Accept-Encoding`:
 * the middleware would not compress either, but it would negotiate for each large answer first.
 */
const compressedFrom: ThresholdFunction = (_type, _size, ctx) =>
  ctx.get('Accept-Encoding') ? 2048 : Number.POSITIVE_INFINITY;

const acceptable = /^[\w.-]{1,100}$/;

/** Takes the caller's `X-Request-Id` when it is safe for logs, else makes one, and sends it back in the answer. */
async function requestId(ctx: Context, next: Next): Promise<void> {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = acceptable.test(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
