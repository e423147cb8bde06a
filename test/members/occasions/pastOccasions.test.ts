import { postDueOccasions } from '#activities/dueOccasions/postDueOccasions';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { makeTierPolicy } from '../../support/definitions';
import { openWorld, type World } from '../../support/world';
import { occasionRule, occasionsIn } from './occasionWorld';

const rules = [
  occasionRule('TierReached', 500, {
    conditions: { all: [{ fact: 'activity', path: '$.occasion.level', operator: 'equal', value: 'Bronze' }] },
  }),
  occasionRule('Birthday', 20, { schedule: { at: '09:00' } }),
  occasionRule('Birthday', 3, { key: 'reminder', schedule: { at: '09:00', daysBefore: 2 } }),
  occasionRule('MemberEnrolled', 1, {
    limits: [{ what: 'times', per: 'member', period: 'lifetime', max: 1, onExceed: 'skip' }],
  }),
];

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  world.services.clock.set('2026-06-01T12:00:00.000Z');
  await makeTierPolicy(world.services.db, world.author, world.program);
  await world.publish(rules);
});
afterAll(() => world.close());

test('a simulation of unchanged files over a past with occasions gives no difference, changed ones do', async () => {
  const acting = occasionsIn(world);
  const member = await world.addMember({ birthDate: '1990-06-04' });
  await acting.processed('Accrual', member._id, { value: 150 });
  world.services.clock.set('2026-06-05T12:00:00.000Z');
  await postDueOccasions(world.services, { org: world.services.org._id, now: world.services.clock.now() });
  await acting.drain();
  expect(await acting.balance(member._id)).toBe(524);

  const manager = world.server.as('program-manager');
  const simulate = async (changed: object[]) => {
    const response = await manager.post('/rules/simulate', { files: { 'main/rules.json': JSON.stringify(changed) } });
    expect([response.status, response.body.errors]).toEqual([202, undefined]);
    await runNextSimulation(world.services);
    return (await manager.send('GET', String(response.headers.get('location')))).body.result;
  };
  expect(await simulate(rules)).toMatchObject({
    differing: 0,
    notEvaluated: 0,
    points: { before: 524, difference: 0 },
  });
  const [first, second, ...others] = rules;
  const changed = [first, { ...second, schedule: { at: '10:00' } }, ...others].filter((each) => each !== undefined);
  expect(await simulate(changed)).toMatchObject({ differing: 1, points: { difference: -20 } });
});
