import assert from 'node:assert';
import { createServer, type Server } from 'node:http';
import type { ServeLimits } from './serveLimits';

/**
 * Opens a server that listens at an address, with limits of what it reads. Nothing answers yet.
 * @param port 0 takes any free one
 */
export async function openServer({ host, port }: { host: string; port: number }, limits: ServeLimits): Promise<Server> {
  const { headMaxBytes, lateCheckMs, keepAliveMs, headersMs, longRequestMs, unacceptedMax } = limits;
  const server = createServer({
    maxHeaderSize: headMaxBytes,
    connectionsCheckingInterval: lateCheckMs,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: longRequestMs,
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: unacceptedMax }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

/** The port of a server that listens on TCP. */
export function listeningPort(server: Server): number {
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a server that listens on TCP has an address');
  return address.port;
}
