import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { Redis } from 'ioredis';
import { redisChecks } from '#commands/doctor/redisChecks';

/** A server that answers every command with these lines about itself, as INFO does. */
function serverThatSays(lines: readonly string[]): Promise<Server> {
  const text = `${lines.join('\r\n')}\r\n`;
  const answer = `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    // ioredis sends one command after the other; each begins with the number of its words.
    socket.on('data', (chunk) => socket.write(answer.repeat(String(chunk).split('\n*').length)));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

// From the life cycles that the makers publish: Redis 7.2 and Valkey 8.0 were the oldest with fixes in November 2026.
test.each([
  ['Valkey 9.1', ['redis_version:7.2.4', 'valkey_version:9.1.2'], 'ok', 'Valkey 9.1.2'],
  ['Valkey 8.0', ['redis_version:7.2.4', 'valkey_version:8.0.1'], 'ok', 'Valkey 8.0.1'],
  ['Valkey 7.2', ['redis_version:7.2.4', 'valkey_version:7.2.8'], 'warning', 'Valkey 7.2.8'],
  ['Redis 8', ['redis_version:8.2.9'], 'ok', 'Redis 8.2.9'],
  ['Redis 7.0', ['redis_version:7.0.15'], 'warning', 'Redis 7.0.15'],
  ['Redis 6.2', ['redis_version:6.2.14'], 'warning', 'Redis 6.2.14'],
  ['Redis 6.0', ['redis_version:6.0.20'], 'failure', 'Redis 6.0.20'],
  ['a server that does not tell', ['mode:standalone'], 'failure', 'Redis ?'],
])('doctor says of %s whether it is supported', async (_name, lines, status, found) => {
  const server = await serverThatSays(['# Server', ...lines]);
  const redis = new Redis({ port: (server.address() as AddressInfo).port, enableReadyCheck: false });
  try {
    const check = redisChecks.find(({ name }) => name === 'redis.version');
    const result = await check?.run({ redis } as Parameters<NonNullable<typeof check>['run']>[0]);
    expect(result).toMatchObject({ status, found });
  } finally {
    redis.disconnect();
    server.close();
  }
});
