import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { Connections } from '#platform/http/connections';
import { endConnections, stopAccepting } from '#platform/http/endConnections';
import { collectProcessMetrics } from '#platform/http/metrics';
import { listeningPort, openServer } from '#platform/http/openServer';
import { createRequestAdmission, refuseRequest } from '#platform/http/requestAdmission';
import type { RequestState } from '#platform/http/requestState';
import { type ServeLimits, serveLimits } from '#platform/http/serveLimits';
import type { Services } from '#server/services/services';
import { createApp, createWorkerApp } from './app';

/** A listening server. */
export interface Serving {
  /** Base URL with the port that the server listens on, also when PORT is 0. */
  url: string;
  /** Accepts no more connections, answers the requests in flight (within {@link serveLimits}), then resolves. */
  close(): Promise<void>;
}

/**
 * Serves the API, or another application, at the configured host and port.
 * @param limits limits of connections; only tests that cannot wait as long give their own
 * @param listening a server that listens there already, without a request handler; by default a new one
 */
export async function serve(
  services: Services,
  app: Koa<RequestState> = createApp(services),
  limits: ServeLimits = serveLimits,
  listening?: Server,
): Promise<Serving> {
  const { HOST, PORT, MAX_CONNECTIONS } = services.config;
  let isClosing = false;
  const endsWith = (request: IncomingMessage) =>
    connections.isLast(request) && (isClosing || connections.isOver(request));
  app.middleware.unshift(tellClosing(endsWith));
  collectProcessMetrics();
  const answer = app.callback();
  const mayBegin = createRequestAdmission();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (mayBegin(request, response)) void answer(request, response);
    else refuseRequest(response, endsWith(request));
  };
  const connections = new Connections({ handle, limits, connectionsMax: MAX_CONNECTIONS });
  const server = listening ?? (await openServer({ host: HOST, port: PORT }, limits));
  connections.attach(server);
  return {
    url: `http://${hostInUrl(HOST)}:${listeningPort(server)}`,
    close: async () => {
      const closed = await stopAccepting(server);
      isClosing = true;
      await endConnections(server, connections, limits, closed);
    },
  };
}

/** Serves the health and the metrics of a worker process, at the configured host and `WORKER_PORT`. */
export async function serveWorker(services: Services, listening?: Server): Promise<Serving> {
  const config = { ...services.config, PORT: services.config.WORKER_PORT };
  return serve({ ...services, config }, createWorkerApp(services), serveLimits, listening);
}

/**
 * Sets `Connection: close` on the last answer of a connection. The client then sends no further request on it, which
 * the server would lose when it closes the connection.
 */
function tellClosing(endsWith: (request: IncomingMessage) => boolean): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    if (endsWith(ctx.req)) ctx.set('Connection', 'close');
  };
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
