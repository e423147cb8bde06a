import { timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Counter, collectDefaultMetrics, Histogram, register } from 'prom-client';
import { unauthenticated } from '../auth/token';
import { defineRoute, type Request } from './route';
import type { Context, Next } from './state';

const durations = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer a request',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/** Connections that the server ended before the client did, because they cost too much. */
export const cutConnections = new Counter({
  name: 'http_connections_cut_total',
  help: 'Connections ended by the server: unreadable, pipelined, stalled, or for want of room',
  labelNames: ['reason'],
});

/** Measures every request by its route, never by its path: ids would make a series each. */
export async function measure(ctx: Context, next: Next): Promise<void> {
  const startedAt = performance.now();
  await next();
  const { method = 'none', path = 'none' } = ctx.state.route ?? {};
  durations.labels(method, path, String(ctx.status)).observe((performance.now() - startedAt) / 1000);
}

/** `GET /metrics` in Prometheus' text format: the process, HTTP, and what other parts register. */
export const metricsRoute = defineRoute({
  method: 'GET',
  path: '/metrics',
  prefixes: [''],
  permission: 'open',
  summary: 'Metrics for Prometheus',
  description: 'With METRICS_TOKEN as bearer token, or from loopback.',
  produces: register.contentType,
  responses: { 200: Type.String() },
  errors: [401],
  handle: async (request) => {
    refuseStrangers(request);
    return { status: 200, body: await register.metrics(), headers: { 'Content-Type': register.contentType } };
  },
});

/** Starts collecting the metrics of the process itself; twice is once. */
export function collectProcessMetrics(): void {
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics();
}

function refuseStrangers({ services, headers, remoteAddress }: Request): void {
  const token = services.config.METRICS_TOKEN;
  if (token !== undefined && isSame(headers.authorization ?? '', `Bearer ${token}`)) return;
  // What a proxy on this host forwards comes from loopback too.
  if (isLoopback(remoteAddress) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
  throw unauthenticated('Metrics need METRICS_TOKEN as bearer token');
}

function isSame(sent: string, expected: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
