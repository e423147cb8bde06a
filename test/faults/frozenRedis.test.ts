import { collectionOf } from '#base/db/collections';
import { submissionResource } from '#records/activities/submission';
import { importing } from '../exchange/imports/importing';
import { stopwatch } from '../support/givenTime';
import { openRedisProxy, type RedisProxy } from '../support/redisProxy';
import { testStores } from '../support/stores';
import { earnRule, openWorld, type World } from '../support/world';

let redis: RedisProxy;
let world: World;

beforeAll(async () => {
  redis = await openRedisProxy(testStores().redisUrl);
  world = await openWorld({ rules: [earnRule], config: { REDIS_URL: redis.url, RATE_LIMIT: 1000 } });
});

afterAll(async () => {
  await redis?.down();
  await world?.close();
});

test.each(['freeze', 'down'] as const)(
  'every request is answered and done while Redis hangs or is away (%s)',
  async (fault) => {
    const member = await world.addMember();
    const client = world.server.as('client');
    await client.get(`/members/${member._id}`);
    // The process must have been ready once before Redis fails.
    await world.server.anonymous.send('GET', '/health/ready');
    await redis[fault]();
    const takenMs = stopwatch();
    const answers = await Promise.all([
      client.post('/activity', { type: 'Accrual', memberID: member._id, value: 1 }),
      client.post('/activity?async=true', { type: 'Accrual', memberID: member._id, value: 1 }),
      client.get(`/members/${member._id}/purses`),
      world.server.anonymous.send('GET', '/health/ready'),
    ]);
    const seconds = takenMs() / 1000;
    expect(answers.map(({ status }) => status)).toEqual([200, 202, 200, 200]);
    // The rate limit waits 1 s and readiness 2 s; the additional time is for a busy machine.
    expect(seconds).toBeLessThan(7.5);
  },
);

test('an import of activities needs no Redis', async () => {
  await world.addMember({ loyaltyID: 'M-1' });
  await redis.down();
  const rows = Array.from({ length: 600 }, (_unused, n) => `T-${n},Accrual,M-1,${n}`);
  const content = ['externalTxnId,type,loyaltyID,value', ...rows].join('\n');
  const { end, counts } = await importing(world).imported({ kind: 'activities', content });
  expect({ end, counts }).toMatchObject({ end: 'Done', counts: { rows: 600, created: 600 } });
  const queued = { key: /^T-/, status: 'Queued' as const };
  expect(await collectionOf(world.services.db, submissionResource).countDocuments(queued)).toBe(600);
});
