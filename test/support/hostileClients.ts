import { connect, type Socket } from 'node:net';

/** What a hostile client does once it is connected. It never closes its side, even after the server closes its own. */
export const attacks = {
  'sends nothing': () => undefined,
  'sends garbage': (socket) => socket.write('\u0016\u0003\u0001 this is no HTTP\r\n\r\n'),
  'sends garbage without an end': (socket) => repeat(socket, () => 'no HTTP\r\n\r\n'.repeat(50)),
  'trickles headers': (socket) => {
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n');
    repeat(socket, (n) => `X-${n}: a\r\n`);
  },
  'breaks off within the headers and ends its side': (socket) => socket.end('GET /health/live HTTP/1.1\r\nHo'),
  'trickles a body': (socket) => {
    socket.write(
      `POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`,
    );
    repeat(socket, () => ' ');
  },
  'sends a part of a body': (socket) =>
    socket.write(
      'POST /api/v1/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{"username":',
    ),
  'asks for the end and then does not end': (socket) =>
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  'takes no answer': (socket) => {
    socket.pause();
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200));
  },
  'takes no answer and asks for the end': (socket) => {
    socket.pause();
    const ask = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n';
    socket.write(`${`${ask}\r\n`.repeat(100)}${ask}Connection: close\r\n\r\n`);
  },
  'asks once and rests': (socket) => socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'),
  'sends garbage after a request': (socket) =>
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n\u0000\u0000garbage\r\n\r\n'),
} satisfies Record<string, (socket: Socket) => unknown>;

/** Connects clients that do one of {@link attacks}; `stop` destroys their sockets. */
export async function hostileClients(port: number, attack: keyof typeof attacks, count: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(port)));
  for (const socket of sockets) attacks[attack](socket);
  return {
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.on('error', reject);
    socket.resume();
  });
}

const everyMs = 200;

function repeat(socket: Socket, text: (n: number) => string): void {
  let n = 0;
  const timer = setInterval(() => {
    n += 1;
    if (socket.writable) socket.write(text(n));
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}
