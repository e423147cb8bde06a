import { connect, type Socket } from 'node:net';

/** An answer, as far as tests of load look at it. */
export interface CrowdAnswer {
  status: number;
  /** Seconds. */
  retryAfter: number | undefined;
  body: string;
  /** From the call of `send`, in milliseconds. */
  tookMs: number;
}

/** A client that keeps its connection, and costs so little that thousands of them fit into a process. */
export interface CrowdClient {
  /**
   * Sends a request and reads its answer. One at a time.
   * @throws Error when the connection ends before the answer is complete
   */
  post(path: string, body: string): Promise<CrowdAnswer>;
  /** Whether the connection can still be used. */
  isOpen(): boolean;
  close(): void;
}

/** Connects a client to the API at this URL. @throws Error when it is refused */
export async function joinCrowd(url: string, token: string): Promise<CrowdClient> {
  const { hostname, port, host } = new URL(url);
  const socket = await connected(Number(port), hostname);
  const head = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  let received = '';
  let failure: Error | undefined;
  let waiting: { sentAt: number; resolve(answer: CrowdAnswer): void; reject(error: Error): void } | undefined;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const answer = completeAnswer(received);
    if (!answer || !waiting) return;
    const { resolve, sentAt } = waiting;
    [received, waiting] = ['', undefined];
    resolve({ ...answer, tookMs: performance.now() - sentAt });
  });
  const fail = (error: Error) => {
    failure ??= error;
    waiting?.reject(failure);
    waiting = undefined;
  };
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        waiting = { resolve, reject, sentAt: performance.now() };
        socket.write(`POST ${path} HTTP/1.1\r\n${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }),
    isOpen: () => failure === undefined,
    close: () => socket.destroy(),
  };
}

function connected(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host, noDelay: true }, () => {
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

function completeAnswer(text: string): Omit<CrowdAnswer, 'tookMs'> | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const body = text.slice(headEnd + 4);
  const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (body.length < length) return undefined;
  const retryAfter = /\r\nRetry-After: (\d+)/i.exec(head)?.[1];
  return {
    status: Number(head.slice(9, 12)),
    retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
    body,
  };
}
