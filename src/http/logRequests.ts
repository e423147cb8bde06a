import type { Logger } from 'pino';
import type { Context, Next } from './state';

/** Makes the middleware that writes one line for each request; never arguments, bodies or tokens. */
export function logRequests(log: Logger): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    if (!log.isLevelEnabled('info')) return;
    const { requestId, route, principal } = ctx.state;
    log.info(
      {
        requestId,
        method: ctx.method,
        path: ctx.path.slice(0, pathCharsMax),
        route: route?.path,
        status: ctx.status,
        // Nobody got the answer.
        ...(ctx.req.socket.destroyed ? { clientIsGone: true } : {}),
        durationMs: Math.round((performance.now() - startedAt) * 10) / 10,
        user: principal?.userId.toHexString(),
        org: principal?.org.toHexString(),
      },
      'request',
    );
  };
}

const pathCharsMax = 300;
