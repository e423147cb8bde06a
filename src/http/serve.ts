import assert from 'node:assert';
import { createServer, type Server } from 'node:http';
import { type Socket, Server as TcpServer } from 'node:net';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { createApp } from '../app';
import type { Services } from '../services';
import { collectProcessMetrics } from './metrics';
import type { RequestState } from './state';

/** A listening API. */
export interface Serving {
  /** Base URL with the port it really listens on. */
  url: string;
  /** Stops accepting, answers what is in flight (within {@link serveLimits}), then resolves. */
  close(): Promise<void>;
}

/** Times of the server; clients and proxies that keep connections open should give them up earlier. */
export const serveLimits = {
  keepAliveMs: 65_000,
  headersMs: 20_000,
  requestMs: 120_000,
  /** How long kept connections may still bring a request after the end began. */
  idleGraceMs: 300,
  closeMs: 8_000,
  /** Request line and headers; an argument of 16 KB is three times as long when all of it is percent-encoded. */
  headMaxBytes: 65_536,
} as const;

/** Serves the API, or another application, at the configured host and port. */
export async function serve(services: Services, app: Koa<RequestState> = createApp(services)): Promise<Serving> {
  const { HOST, PORT } = services.config;
  let isClosing = false;
  app.middleware.unshift(tellClosing(() => isClosing));
  collectProcessMetrics();
  const handle = app.callback();
  const options = { maxHeaderSize: serveLimits.headMaxBytes };
  const server = createServer(options, (request, response) => void handle(request, response));
  server.keepAliveTimeout = serveLimits.keepAliveMs;
  server.headersTimeout = serveLimits.headersMs;
  server.requestTimeout = serveLimits.requestMs;
  server.on('clientError', answerUnreadable);
  const port = await listen(server, PORT, HOST);
  return {
    url: `http://${hostInUrl(HOST)}:${port}`,
    close: () => {
      isClosing = true;
      return closeServer(server);
    },
  };
}

/** A client that is told so does not use the connection again, so that none is reset with a request on its way. */
function tellClosing(isClosing: () => boolean): Middleware<RequestState> {
  return async (ctx, next) => {
    await next();
    if (isClosing()) ctx.set('Connection', 'close');
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      assert(typeof address === 'object' && address !== null, 'a server that listens on TCP has an address');
      resolve(address.port);
    });
  });
}

/** What is not HTTP never reaches the application. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const body = JSON.stringify({ code: 1210, message: 'The request is not valid HTTP', status: 400 });
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json', 'Connection: close'];
  socket.end(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
}

async function closeServer(server: Server): Promise<void> {
  // Connections that wait to be accepted would be reset: take them first.
  await new Promise((resolve) => setImmediate(resolve));
  // Not the HTTP server's own close, which ends kept connections while their next request may be on its way.
  const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve));
  const sweep = setTimeout(() => {
    server.closeIdleConnections();
    sweep.refresh();
  }, serveLimits.idleGraceMs);
  const late = setTimeout(() => server.closeAllConnections(), serveLimits.closeMs);
  await closed;
  clearTimeout(sweep);
  clearTimeout(late);
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
