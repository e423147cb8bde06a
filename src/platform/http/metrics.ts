import { timingSafeEqual } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import { Counter, collectDefaultMetrics, register } from 'prom-client';
import { message } from '#base/common/messages/message';
import { bearerToken } from '#platform/auth/bearerToken';
import { unauthenticated } from '#platform/auth/token';
import { defineRoute, type Request } from './route';

/** Connections that the server closed before the client did, by reason. */
export const cutConnections = new Counter({
  name: 'http_connections_cut_total',
  help: 'Connections ended by the server: unreadable, pipelined, stalled, or for want of room',
  labelNames: ['reason'],
});

/**
 * `GET /metrics` in the Prometheus text format: metrics of the process, of HTTP, and of all that other modules
 * register.
 */
export const metricsRoute = defineRoute({
  method: 'GET',
  path: '/metrics',
  tag: 'Operation',
  prefixes: [''],
  permission: 'open',
  summary: 'Read the metrics of this process',
  description:
    'In the text format of Prometheus. Needs METRICS_TOKEN as bearer token; where that is not set, a caller on loopback.',
  produces: register.contentType,
  responses: { 200: Type.String() },
  errors: [401],
  handle: async (request) => {
    requireMetricsAccess(request);
    return { status: 200, body: await register.metrics(), headers: { 'Content-Type': register.contentType } };
  },
});

/** Starts collecting the metrics of the process. A second call does nothing. */
export function collectProcessMetrics(): void {
  if (!register.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics();
}

function requireMetricsAccess({ services, headers, remoteAddress }: Request): void {
  const { METRICS_TOKEN: needed } = services.config;
  if (needed !== undefined) {
    if (isSame(bearerToken(headers.authorization) ?? '', needed)) return;
    throw unauthenticated(message('http.metricsToken'));
  }
  // Requests that a proxy on this host forwards also come from loopback, but they have a forwarding header.
  if (isLoopback(remoteAddress) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
  throw unauthenticated(message('http.metricsLoopback'));
}

function isSame(sent: string, expected: string): boolean {
  const [left, right] = [Buffer.from(sent), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
