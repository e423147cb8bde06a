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
import { elapsedMs } from '#base/common/clock';
import { errorCodes, malformed, ServiceError } from '#base/common/errors';
import { createLineSampler } from '#base/common/lineSampler';
import { message, pickMessage } from '#base/common/messages/message';
import { classifyStoreFailure } from '#base/db/storeFailure';
import { toServiceError } from '#base/db/toServiceError';
import { isReservedRequestId } from '#platform/audit/requestIds';
import type { Config } from '#platform/infrastructure/config';
import type { Context, Next } from './requestState';
import { countedStatus, noteAborted } from './unlessAborted';

/**
 * Takes the caller's `X-Request-Id` when it is safe for logs and cannot be taken for an id of the service itself, else
 * makes one, and sends it back in the answer.
 */
export async function requestId(ctx: Context, next: Next): Promise<void> {
  const sent = ctx.get('X-Request-Id');
  ctx.state.requestId = acceptable.test(sent) && !isReservedRequestId(sent) ? sent : randomUUID();
  ctx.set('X-Request-Id', ctx.state.requestId);
  await next();
}

const acceptable = /^[\w.-]{1,100}$/;

/**
 * Headers that may be sent only once. They say who sends the request, for what, and how the body is encoded; proxies
 * differ in which of two they use.
 */
const singleHeaders = ['host', 'authorization', 'content-type', 'content-encoding', 'idempotency-key'] as const;

/** Refuses a request that repeats one of {@link singleHeaders}. Node would take the first, or join them. */
export async function refuseRepeatedHeaders({ req }: Context, next: Next): Promise<void> {
  const repeated = singleHeaders.find((name) => (req.headersDistinct[name]?.length ?? 0) > 1);
  if (repeated) throw malformed(message('http.headerTwice', { header: repeated }));
  await next();
}

/**
 * Makes the middleware that logs one line for each request. A line never contains arguments, bodies or tokens. Under
 * load, only some of the lines of successful requests are logged, with the number of those left out. With LOG_LEVEL
 * `debug` all are logged.
 */
export function logRequests(
  log: Logger,
  { LOG_LINES_MAX }: Pick<Config, 'LOG_LINES_MAX'>,
): (ctx: Context, next: Next) => Promise<void> {
  const sampler = createLineSampler(LOG_LINES_MAX, (lines) => log.info({ lines }, 'lines of requests left out'));
  const isLogged = (status: number) => status >= 400 || log.isLevelEnabled('debug') || sampler.admits();
  return async (ctx, next) => {
    const startedAt = elapsedMs();
    await next();
    const status = countedStatus(ctx);
    if (!log.isLevelEnabled('info') || !isLogged(status)) return;
    const { requestId, route, principal } = ctx.state;
    log.info(
      {
        requestId,
        method: ctx.method,
        path: ctx.path.slice(0, pathCharsMax),
        route: route?.path,
        status,
        // The client closed the connection before it got the whole answer.
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

/**
 * Measures the time of every request by its route. Paths contain ids, and each id would make a time series of its own.
 */
export async function measure(ctx: Context, next: Next): Promise<void> {
  const startedAt = elapsedMs();
  await next();
  const { method = 'none', path = 'none' } = ctx.state.route ?? {};
  durations.labels(method, path, String(countedStatus(ctx))).observe((elapsedMs() - startedAt) / 1000);
}

/** Counts a request that was refused before its route was known. */
export function countRefusal(): void {
  durations.labels('none', 'none', String(errorCodes.unavailable.status)).observe(0);
}

/**
 * Makes the middleware that sets the security headers of every answer. They allow only our own scripts and styles, and
 * forbid frames.
 */
export function securityHeaders(): Middleware {
  const headers = headersOfHelmet();
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}

/** Returns the headers that helmet sets. They are the same for every answer, so helmet runs only once. */
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

/**
 * Makes the CORS middleware for the configured origins. Without any, browsers hide our answers from pages of other
 * origins.
 */
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
 * The size in bytes from which an answer is compressed. It is infinite for a client without `Accept-Encoding`. The
 * middleware would not compress its answers either, but this saves the negotiation for each large one.
 */
export const compressedFrom: ThresholdFunction = (_type, _size, ctx) =>
  ctx.get('Accept-Encoding') ? 2048 : Number.POSITIVE_INFINITY;

/**
 * Makes the one middleware that turns errors into answers (SPEC "Error object"). An answer never contains a stack
 * trace.
 */
export function answerErrors(log: Logger): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const answer = toServiceError(error);
      noteAborted(ctx, error);
      if (answer.status >= 500) logFailure(log, ctx, error, answer);
      ctx.status = answer.status;
      for (const [name, value] of Object.entries(answer.details.headers ?? {})) ctx.set(name, value);
      ctx.body = errorBody(answer, ctx.state.requestId);
    }
  };
}

function errorBody(refusal: ServiceError, requestId: string) {
  const { code, status, details } = refusal;
  const { errors, error, mergedInto, programs } = details;
  return {
    code,
    ...pickMessage(refusal),
    status,
    requestId,
    ...(errors ? { errors } : {}),
    ...(error ? { error } : {}),
    ...(mergedInto === undefined ? {} : { mergedInto }),
    ...(programs ? { programs } : {}),
  };
}

/**
 * Logs an error. Messages of database errors quote stored or requested values, so only their name, code and stack
 * frames are logged.
 */
function logFailure(log: Logger, ctx: Context, error: unknown, { status, details }: ServiceError): void {
  const { requestId, route } = ctx.state;
  const isExpected = error instanceof ServiceError || status === errorCodes.unavailable.status;
  const line = {
    requestId,
    route: route?.path,
    status,
    error: details.error ?? { name: error instanceof Error ? error.name : 'unknown' },
  };
  // While a store is unavailable, the logger writes one such line a second for each cause. That is enough, because each
  // request has its own line with its status.
  if (isExpected) log.warn({ ...line, ...(classifyStoreFailure(error) ? { err: error } : {}) }, 'request refused');
  else log.error({ ...line, at: stackFrames(error), ...ownMessage(error) }, 'request failed');
}

function ownMessage(error: unknown): { message?: string } {
  if (!(error instanceof Error) || error instanceof mongo.MongoError || error instanceof MongooseError) return {};
  return { message: error.message };
}

function stackFrames(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
