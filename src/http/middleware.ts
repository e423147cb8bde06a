import { randomUUID } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from '@koa/cors';
import helmet from 'helmet';
import type { Middleware } from 'koa';
import type { ThresholdFunction } from 'koa-compress';
import { MongooseError, mongo } from 'mongoose';
import type { Logger } from 'pino';
import { Histogram } from 'prom-client';
import type { Config } from '../backing/config';
import { elapsedMs } from '../common/clock';
import { errorCodes, ServiceError } from '../common/errors';
import { isTemporary } from '../db/isTemporary';
import type { Context, Next } from './state';

/** Takes the caller's `X-Request-Id` when it is fit for logs, else makes one; answers it. */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = acceptable.test(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}

const acceptable = /^[\w.-]{1,100}$/;

/** Makes the middleware that writes one line for each request; never arguments, bodies or tokens. */
export function logRequests(log: Logger): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    const startedAt = elapsedMs();
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
        durationMs: Math.round((elapsedMs() - startedAt) * 10) / 10,
        user: principal?.userId.toHexString(),
        org: principal?.org.toHexString(),
      },
      'request',
    );
  };
}

const pathCharsMax = 300;

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer a request',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Measures every request by its route, never by its path: ids would make a series each. */
export async function measure(ctx: Context, next: Next): Promise<void> {
  const startedAt = elapsedMs();
  await next();
  const { method = 'none', path = 'none' } = ctx.state.route ?? {};
  durations.labels(method, path, String(ctx.status)).observe((elapsedMs() - startedAt) / 1000);
}

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

/**
 * From how many bytes on an answer is compressed. Never for a client that does not ask for it: the middleware would
 * find that out too, but only by a negotiation for each answer of that size.
 */
export const compressedFrom: ThresholdFunction = (_type, _size, ctx) =>
  ctx.get('Accept-Encoding') ? 2048 : Number.POSITIVE_INFINITY;

/** Makes the one middleware that turns errors into answers (SPEC "Error object"); it never answers a stack. */
export function answerErrors(log: Logger): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const answer = toServiceError(error);
      if (answer.status >= 500) logFailure(log, ctx, error, answer);
      ctx.status = answer.status;
      for (const [name, value] of Object.entries(answer.details.headers ?? {})) ctx.set(name, value);
      ctx.body = errorBody(answer, ctx.state.requestId);
    }
  };
}

/** Gives the error object of an answer. */
function errorBody({ code, message, status, details }: ServiceError, requestId: string) {
  const { errors, error, mergedInto } = details;
  return {
    ...{ code, message, status, requestId },
    ...(errors ? { errors } : {}),
    ...(error ? { error } : {}),
    ...(mergedInto === undefined ? {} : { mergedInto }),
  };
}

/** Translates any error into what a client is told; recognised by class, code or label, never by message. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isTemporary(error)) {
    return new ServiceError('unavailable', 'A backing service does not answer; retry later', {
      headers: { 'Retry-After': '1' },
    });
  }
  if (error instanceof mongo.MongoError || error instanceof MongooseError) {
    const short = nameOf(error);
    const code = 'code' in error && isCode(error.code) ? { code: error.code } : {};
    return new ServiceError('database', `Database Error: ${short}`, { error: { name: error.name, ...code } });
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new ServiceError('database', 'Database Error: unexpected condition', { error: { name } });
}

function nameOf(error: Error): string {
  return 'codeName' in error && typeof error.codeName === 'string' ? error.codeName : error.name;
}

function isCode(code: unknown): code is string | number {
  return typeof code === 'string' || typeof code === 'number';
}

/** Database errors quote what was stored or asked, so of those only name, code and place are logged. */
function logFailure(log: Logger, ctx: Context, error: unknown, { status, details }: ServiceError): void {
  const { requestId, route } = ctx.state;
  const isExpected = error instanceof ServiceError || status === errorCodes.unavailable.status;
  const line = {
    requestId,
    route: route?.path,
    status,
    error: details.error ?? { name: error instanceof Error ? error.name : 'unknown' },
  };
  if (isExpected) log.warn(line, 'request refused');
  else log.error({ ...line, at: framesOf(error), ...ownMessage(error) }, 'request failed');
}

function ownMessage(error: unknown): { message?: string } {
  if (!(error instanceof Error) || error instanceof mongo.MongoError || error instanceof MongooseError) return {};
  return { message: error.message };
}

function framesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
