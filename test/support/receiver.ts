import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that a receiver got. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** How a receiver answers a message. */
export type Respond = (message: Received, response: http.ServerResponse) => void;

/** A receiver of webhooks in this process. */
export interface Receiver {
  url: string;
  received: Received[];
  /** The ids of the events of the messages, in the order of their arrival. */
  ids(): string[];
  /** How many connections were made to it. */
  connections(): number;
  /** Changes how it answers. */
  respond(respond: Respond): void;
  close(): Promise<void>;
}

/** Answers with this status and text. */
export const answering =
  (status: number, text = ''): Respond =>
  (_message, response) => {
    response.writeHead(status).end(text);
  };

/** Opens a receiver that accepts everything, until it is told otherwise. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond = answering(204);
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const message = { path: request.url ?? '', headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(message);
      respond(message, response);
    });
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    ids: () => received.map(({ headers }) => headers['webhook-id'] ?? ''),
    connections: () => connections,
    respond(next) {
      respond = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
