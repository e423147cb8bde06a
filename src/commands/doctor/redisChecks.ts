import type { Redis } from 'ioredis';
import { type Check, failure, ok, warning } from './check';

async function info(redis: Redis, section: string): Promise<Map<string, string>> {
  const lines = (await redis.info(section)).split('\r\n');
  return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1)]));
}

/** The oldest versions that their makers still mended in November 2026. */
const oldestValkey = '8.0';
const oldestRedis = '7.2';

function isAtLeast(version: string, oldest: string): boolean {
  return version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}

function supported(name: string, version: string, oldest: string) {
  const found = `${name} ${version}`;
  if (isAtLeast(version, oldest)) return ok(found);
  return warning(found, `Upgrade to ${name} ${oldest} or later: this version gets no security fixes any more.`);
}

/** Checks of Valkey or Redis, which has the queues that wake workers. */
export const redisChecks: readonly Check[] = [
  {
    name: 'redis.version',
    async run({ redis }) {
      const server = await info(redis, 'server');
      const valkey = server.get('valkey_version');
      // Valkey tells the version of Redis that it is compatible with, too.
      if (valkey !== undefined) return supported('Valkey', valkey, oldestValkey);
      const version = server.get('redis_version') ?? '?';
      if (!isAtLeast(version, '6.2')) {
        return failure(`Redis ${version}`, 'Upgrade to Valkey 8 or Redis 7.2 or later: the queues need 6.2.');
      }
      return supported('Redis', version, oldestRedis);
    },
  },
  {
    name: 'redis.eviction',
    async run({ redis }) {
      const policy = (await info(redis, 'memory')).get('maxmemory_policy');
      if (policy === 'noeviction') return ok(policy);
      return failure(policy ?? 'not told', 'Set maxmemory-policy to noeviction, else queued jobs may vanish.');
    },
  },
  {
    name: 'redis.memory',
    async run({ redis }) {
      const memory = await info(redis, 'memory');
      const [used, most] = ['used_memory', 'maxmemory'].map((name) => Number(memory.get(name)));
      const found = `${memory.get('used_memory_human')} of ${most ? memory.get('maxmemory_human') : 'no limit'}`;
      if (!most || (used ?? 0) < 0.8 * most) return ok(found);
      return warning(found, 'Raise maxmemory: when it is full, workers only find their work by polling.');
    },
  },
  {
    name: 'redis.persistence',
    async run({ redis }) {
      const persistence = await info(redis, 'persistence');
      if (persistence.get('aof_enabled') === '1') return ok('append-only file');
      return warning(
        'no append-only file',
        'Set appendonly yes, else a restart forgets counted logins and rate limits.',
      );
    },
  },
  {
    name: 'redis.prefix',
    async run({ redis, config }) {
      const prefix = config.REDIS_PREFIX;
      const [, keys] = await redis.scan('0', 'MATCH', `${prefix}:*`, 'COUNT', 10_000);
      if (keys.length > 0) return ok(`keys begin with ${prefix}`);
      return warning(
        `no key begins with ${prefix}`,
        'Start a worker, or check that REDIS_PREFIX and REDIS_URL are those of the service.',
      );
    },
  },
];
