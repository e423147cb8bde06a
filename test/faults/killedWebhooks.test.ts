import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { Redis } from 'ioredis';
import { startProcess } from '../support/processes';
import { answering } from '../support/receiver';
import { openWebhookWorld, type WebhookWorld } from '../support/webhookWorld';

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world?.close());

test('workers that are killed and a Redis that is wiped lose no event and keep the order of members', async () => {
  const { services, receiver } = world;
  await world.addWebhook();
  receiver.respond((message, response) => void setTimeout(() => answering(204)(message, response), 3));
  const members = Array.from({ length: 20 }, () => new ObjectId());
  const rounds = process.env.FAULTS === 'full' ? 100 : 15;
  const workers = await Promise.all([1, 2].map(() => startProcess('workers/main.ts', services.config)));
  const arrived = () => new Set(receiver.ids()).size;
  for (let round = 0; round < rounds; round += 1) {
    await world.commit(...members);
    if (round === 5) {
      while (arrived() === 0) await sleep(5);
      await workers[0]?.kill();
      const redis = new Redis(services.config.REDIS_URL ?? '');
      const keys = await redis.keys(`${services.config.REDIS_PREFIX}:*`);
      if (keys.length > 0) await redis.del(...keys);
      redis.disconnect();
    }
  }
  while (arrived() < rounds * members.length) await sleep(20);
  await workers[1]?.stop();
  for (const member of members.map(String)) {
    const ids = receiver.received.flatMap(({ body, headers }) =>
      JSON.parse(body).member === member ? [headers['webhook-id'] ?? ''] : [],
    );
    // What was in flight may come twice, but nothing comes after a later one.
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(rounds);
  }
});
