import { setTimeout as sleep } from 'node:timers/promises';
import { writeConcernError } from '../../support/commitFailures';
import type { OwnRedis } from '../../support/ownRedis';
import type { Failure, Node, TestReplicaSet } from '../../support/replicaSet';
import type { Machine, StormFleet } from './fleet';
import { networkFaults } from './networkFaults';

/** What faults may hit. */
export interface Target {
  fleet: StormFleet;
  set: TestReplicaSet;
  redis: OwnRedis;
  /** Publishes rules: good ones, then a file that is refused. */
  publishRules(): Promise<void>;
  random(n: number): number;
}

/** A fault of the storm. */
export interface StormFault {
  name: string;
  /** Does it and undoes it; it ends when all that it stopped runs again. Returns what exactly was hit. */
  strike(target: Target): Promise<string>;
}

/** A little longer than requests wait. */
const frozenMs = 5200;

async function killAndRestart(machine: Machine | undefined): Promise<string> {
  if (!machine) throw new RangeError('no process');
  const pid = machine.pid();
  await machine.kill();
  await sleep(300);
  await machine.restart();
  return `${machine.name}, process ${pid}`;
}

async function freezeFor(machine: Machine | undefined, ms: number): Promise<string> {
  if (!machine) throw new RangeError('no process');
  machine.freeze();
  await sleep(ms);
  machine.thaw();
  return `${machine.name} for ${ms} ms`;
}

async function freezeNodes(nodes: readonly Node[]): Promise<string> {
  for (const node of nodes) node.freeze();
  await sleep(frozenMs);
  for (const node of nodes) node.thaw();
  return `ports ${nodes.map(({ port }) => port).join(', ')} for ${frozenMs} ms`;
}

const failing = (name: string, failure: Failure): StormFault => ({
  name,
  async strike({ set, random }) {
    const times = 1 + random(20);
    await set.fail(failure, times);
    await sleep(2000);
    await set.heal();
    return `${times} times`;
  },
});

const drawn = <T>(list: readonly T[], random: (n: number) => number): T | undefined => list[random(list.length)];

/** All faults of a storm. */
export const stormFaults: readonly StormFault[] = [
  ...networkFaults,
  { name: 'an API is killed', strike: ({ fleet, random }) => killAndRestart(drawn(fleet.apis, random)) },
  { name: 'a worker is killed', strike: ({ fleet, random }) => killAndRestart(drawn(fleet.workers, random)) },
  { name: 'an API is frozen', strike: ({ fleet, random }) => freezeFor(drawn(fleet.apis, random), 3000) },
  { name: 'a worker is frozen', strike: ({ fleet, random }) => freezeFor(drawn(fleet.workers, random), 4000) },
  {
    name: 'the primary is killed',
    async strike({ set }) {
      const primary = await set.primary();
      await primary.kill();
      await sleep(3000);
      await primary.restart();
      return `port ${primary.port}`;
    },
  },
  {
    name: 'the primary steps down',
    async strike({ set }) {
      const { port } = await set.primary();
      await set.stepDown();
      await sleep(3000);
      return `port ${port}`;
    },
  },
  { name: 'the primary is frozen', strike: async ({ set }) => freezeNodes([await set.primary()]) },
  { name: 'the secondaries are frozen', strike: async ({ set }) => freezeNodes(await set.secondaries()) },
  {
    name: 'the primary is killed with writes that no secondary has',
    async strike({ set }) {
      const [primary, secondaries] = [await set.primary(), await set.secondaries()];
      for (const node of secondaries) node.freeze();
      await sleep(1000);
      await primary.kill();
      for (const node of secondaries) node.thaw();
      await set.primary();
      await sleep(1000);
      await primary.restart();
      return `port ${primary.port}`;
    },
  },
  {
    name: 'the secondaries are locked',
    async strike({ set }) {
      const secondaries = await set.secondaries();
      for (const node of secondaries) await node.command({ fsync: 1, lock: true });
      await sleep(frozenMs);
      for (const node of secondaries) await node.command({ fsyncUnlock: 1 });
      return `ports ${secondaries.map(({ port }) => port).join(', ')} for ${frozenMs} ms`;
    },
  },
  failing('commits lose their answer', { failCommands: ['commitTransaction'], closeConnection: true }),
  failing('commits are not confirmed', { failCommands: ['commitTransaction'], ...writeConcernError(64) }),
  failing('inserts lose their answer', { failCommands: ['insert'], closeConnection: true }),
  failing('updates meet no primary', { failCommands: ['update', 'findAndModify'], errorCode: 10107 }),
  {
    name: 'Redis is killed and emptied',
    async strike({ redis }) {
      const pid = redis.pid();
      await redis.kill();
      await sleep(1500);
      await redis.restart({ isEmptied: true });
      return `process ${pid}`;
    },
  },
  {
    name: 'Redis is frozen',
    async strike({ redis }) {
      redis.freeze();
      await sleep(4000);
      redis.thaw();
      return `process ${redis.pid()}`;
    },
  },
  {
    name: 'rules are published, faulty ones too',
    async strike({ publishRules }) {
      await publishRules();
      return 'two files';
    },
  },
];
