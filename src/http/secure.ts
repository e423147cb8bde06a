import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@koa/cors';
import helmet from 'helmet';
import type { Middleware } from 'koa';
import type { Config } from '../backing/config';

/** Makes the security headers of every answer: nothing but our own scripts and styles, in no frame. */
export function securityHeaders(): Middleware {
  const headers = headersOfHelmet();
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}

/** What helmet says of an answer; the same of all, so it is asked once. */
function headersOfHelmet(): [string, string][] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  setHeaders(request, response, (error) => {
    if (error) throw error;
  });
  return response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]);
}

/** Makes CORS for the configured origins; without any, browsers of other origins get nothing. */
export function allowOrigins({ corsOrigins }: Pick<Config, 'corsOrigins'>): Middleware {
  const allowed = new Set(corsOrigins);
  return cors({
    origin: (ctx) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    exposeHeaders: [
      'ETag',
      'Link',
      'Location',
      'Retry-After',
      'X-Request-Id',
      'Idempotent-Replayed',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
    ],
    maxAge: 600,
  });
}
