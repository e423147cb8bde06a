import type { Redis } from 'ioredis';
import { type Check, failure, ok, warning } from './check';

async function info(redis: Redis, section: string): Promise<Map<string, string>> {
  const lines = (await redis.info(section)).split('\r\n');
  return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1)]));
}

/** Checks of Redis, which has the queues that wake workers. */
export const redisChecks: readonly Check[] = [
  {
    name: 'redis.version',
    async run({ redis }) {
      const version = (await info(redis, 'server')).get('redis_version') ?? '?';
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major > 6 || (major === 6 && minor >= 2)) return ok(`Redis ${version}`);
      return failure(`Redis ${version}`, 'Upgrade Redis to 6.2 or later: the queues need it.');
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
