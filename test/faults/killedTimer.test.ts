import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from '#base/db/collections';
import { tierHistoryResource } from '#members/tiers/tierHistory';
import { memberResource } from '#records/members/member';
import { makeTierPolicy } from '../support/definitions';
import { earnRule, openWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
});
afterAll(() => world?.close());

const grant = {
  key: 'grant',
  name: 'Gold for a day',
  activityTypes: ['Referral'],
  actions: [{ type: 'setTier', policy: 'Status', level: 'Gold', for: { value: 1, unit: 'day' } }],
};

test('a level for a time lapses once, although a process is killed in the transaction that was to end it', async () => {
  const { services, author, program, server } = world;
  services.clock.set('2026-11-21T12:00:00.000Z');
  await makeTierPolicy(services.db, author, program);
  await world.publish([earnRule, grant]);
  const member = await world.addMember();
  const posted = await server.as('client').post('/activity', { type: 'Referral', memberID: member._id, value: 0 });
  expect(posted.body.member.tiers).toMatchObject([{ level: { name: 'Gold' } }]);
  const args = ['--require', './test/support/registerTypeScript.cjs', './test/support/holdMember.ts'];
  const child = spawn(process.execPath, [...args, services.config.MONGODB_URI ?? '', String(member._id)], {
    cwd: path.resolve(__dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  services.clock.set('2026-11-22T12:00:00.000Z');
  const runTimer = () => server.as('admin').post('/jobs/tiers/run');
  const runs = [runTimer(), runTimer()];
  child.kill('SIGKILL');
  await Promise.all(runs);
  const read = () => collectionOf(services.db, memberResource).findOne({ _id: member._id });
  let stored = await read();
  // A timer that finds the member held leaves it to the next run.
  for (let run = 0; run < 30 && stored?.nextDue; run += 1) {
    await runTimer();
    await sleep(1000);
    stored = await read();
  }
  expect([stored?.tiers, stored?.nextDue]).toEqual([[], undefined]);
  const history = await collectionOf(services.db, tierHistoryResource).find({ member: member._id }).toArray();
  expect(history.map(({ why }) => why)).toEqual(['set', 'expired']);
});
