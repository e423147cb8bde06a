import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type OwnRedis, startOwnRedis } from '../../support/ownRedis';
import { startReplicaSet, type TestReplicaSet } from '../../support/replicaSet';
import { untilAnswered } from '../../support/untilAnswered';
import { addOffer, addWorld, earnRule, openWorld, redeemRule, type World } from '../../support/world';
import { type StormFleet, startStormFleet } from './fleet';
import { stormCoupon } from './load';
import { couponMax, stormPolicies, stormRules, stormZone } from './rules';

/** What a storm goes over: stores of its own, a fleet on them, and two orgs. */
export interface Stage {
  set: TestReplicaSet;
  redis: OwnRedis;
  world: World;
  /** A world of another org, in which activities are archived. */
  archived: World;
  fleet: StormFleet;
  members: readonly string[];
  /** A member of no other client, who shows when posts succeed again. */
  probe: string;
  /** Publishes the same rules once more, then a file that no process may accept. */
  publishRules(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it all. @param pairs the number of API processes, and of workers */
export async function openStage(pairs: number): Promise<Stage> {
  const [set, redis] = await Promise.all([startReplicaSet(), startOwnRedis()]);
  const config = { MONGODB_URI: set.uri('storm'), REDIS_URL: redis.url, RATE_LIMIT: 0 };
  const program = { timezone: stormZone };
  const world = await openWorld({ rules: stormRules, policies: stormPolicies, program, config });
  const archived = await addWorld(world, { rules: [earnRule, redeemRule] });
  await addOffer(world, stormCoupon, { discount: { type: 'amount', value: 1 }, uses: { total: couponMax } });
  const made = await Promise.all(Array.from({ length: 30 }, () => world.addMember()));
  const { users } = world.services;
  const tokens = {
    client: users.client.token,
    admin: users.admin.token,
    'ledger-admin': users['ledger-admin'].token,
    'archived client': archived.services.users.client.token,
    'archived admin': archived.services.users.admin.token,
  };
  const fleet = await startStormFleet({
    config: { ...world.services.config, rulesDir: world.rulesDir },
    tokens,
    pairs,
    mongoPorts: set.nodes.map(({ port }) => port),
    redisPort: Number(new URL(redis.url).port),
  });
  return {
    set,
    redis,
    world,
    archived,
    fleet,
    members: made.map(({ _id }) => String(_id)),
    probe: String((await world.addMember())._id),
    publishRules: () => publishRules(world),
    async close() {
      await fleet.close();
      await world.close();
      await Promise.all([set.close(), redis.close()]);
    },
  };
}

async function publishRules(world: World): Promise<void> {
  const admin = world.server.as('admin');
  const file = path.join(world.rulesDir, 'main', 'rules.json');
  const write = (content: string) => writeFileSync(file, content);
  write(JSON.stringify(stormRules, null, 1));
  await untilAnswered(() => admin.post('/refreshcache?entity=Rule'));
  write('[{"key": "earn"');
  const { status } = await untilAnswered(() => admin.post('/refreshcache?entity=Rule'));
  expect(status).not.toBe(200);
  write(JSON.stringify(stormRules));
}
