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

/** Makes the HTTP application: what every request passes, then the routes. Listens to nothing yet. */
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
  // What fails after the answer began, mostly clients that went away.
  app.on('error', (error: NodeJS.ErrnoException) => log.debug({ error: error.code ?? error.name }, 'connection'));
  return app;
}

/**
 * From how many bytes on an answer is compressed. Never for a client that does not ask for it: the middleware would
 * find that out too, but only by a negotiation for each answer of that size.
 */
const compressedFrom: ThresholdFunction = (_type, _size, ctx) =>
  ctx.get('Accept-Encoding') ? 2048 : Number.POSITIVE_INFINITY;

const acceptable = /^[\w.-]{1,100}$/;

/** Takes the caller's `X-Request-Id` when it is fit for logs, else makes one; answers it. */
async function requestId(ctx: Context, next: Next): Promise<void> {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = acceptable.test(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}
