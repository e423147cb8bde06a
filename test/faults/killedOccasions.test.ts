import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { occasionSlotResource } from '#records/activities/occasionSlot';
import { submissionResource } from '#records/activities/submission';
import { memberResource } from '#records/members/member';
import { makeTierPolicy } from '../support/definitions';
import { type ServiceProcess, startProcess } from '../support/processes';
import { openWorld, type World } from '../support/world';

const memberCount = 600;
const dayMs = 86_400_000;

/** Each day a schedule adds to a metric. The second day reaches a level, which gives points. */
const rules = [
  {
    key: 'daily',
    name: 'Daily',
    activityTypes: ['Scheduled'],
    schedule: { every: 'day', at: '00:00' },
    actions: [
      { type: 'addPoints', purse: 'Points', points: 1 },
      { type: 'addMetric', metric: 'visitDays', value: 60 },
    ],
  },
  {
    key: 'level',
    name: 'Level',
    activityTypes: ['TierReached'],
    actions: [{ type: 'addPoints', purse: 'Points', points: 100 }],
  },
];

let world: World;
let worker: ServiceProcess | undefined;

beforeAll(async () => {
  world = await openWorld({ rules: [] });
  await makeTierPolicy(world.services.db, world.author, world.program, {
    basis: { metric: 'visitDays', period: 'lifetime' },
  });
  // Published two midnights ago, so the workers, which have the clock of the machine, find two days that are due.
  world.services.clock.set(new Date(Math.floor(Date.now() / dayMs - 1) * dayMs - 1000));
  await world.publish(rules);
});

afterAll(async () => {
  await worker?.stop();
  await world.close();
});

const org = () => world.services.org._id;
const queued = () =>
  collectionOf(world.services.db, submissionResource).countDocuments({ org: org(), status: 'Queued' });
const histories = (type: string) =>
  collectionOf(world.services.db, activityHistoryResource).countDocuments({ org: org(), type, status: 'Processed' });

/** Starts a worker and kills it as soon as the condition holds. */
async function killWhen(condition: () => Promise<boolean>): Promise<void> {
  worker = await startProcess('workers/main.ts', world.services.config);
  while (!(await condition())) await sleep(2);
  await worker.kill();
}

test('workers killed while they post and process occasions leave each of them exactly once', async () => {
  for (let made = 0; made < memberCount; made += 50) {
    await Promise.all(Array.from({ length: 50 }, () => world.addMember()));
  }
  // While the second page of members is to be posted; while occasions are processed; while they cause others.
  await killWhen(async () => {
    const slot = await collectionOf(world.services.db, occasionSlotResource).findOne({ org: org() });
    return slot?.after !== undefined || slot?.doneUntil.getTime() !== world.services.clock.now().getTime();
  });
  await killWhen(async () => (await histories('Scheduled')) > 50);
  await killWhen(async () => (await histories('TierReached')) > 50);
  expect(await histories('TierReached')).toBeLessThan(memberCount);

  worker = await startProcess('workers/main.ts', world.services.config);
  const deadline = Date.now() + 60_000;
  const isDone = async () => (await histories('TierReached')) >= memberCount && (await queued()) === 0;
  while (!(await isDone()) && Date.now() < deadline) await sleep(50);

  expect([await histories('Scheduled'), await histories('TierReached')]).toEqual([2 * memberCount, memberCount]);
  const members = await collectionOf(world.services.db, memberResource).find({ org: org() }).toArray();
  expect(members.filter(({ purses: [purse] }) => purse?.balance !== 102)).toEqual([]);
  expect((await reconcile(world.services, {})).mismatches).toBe(0);
}, 180_000);
