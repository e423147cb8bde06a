import { earnRule, openWorld, type World } from '../support/world';
import { metricCommits } from './metricCommits';

let world: World;

beforeAll(async () => {
  world = await openWorld({
    rules: [earnRule],
    policies: [{ expiry: { type: 'rolling', value: 10, unit: 'day' } }],
  });
});

afterAll(() => world.close());

test('points of a purchase long ago that are past their expiry count as expired on the day they expired', async () => {
  world.services.clock.set('2026-06-30T12:00:00.000Z');
  const member = await world.addMember();
  const purchase = { type: 'Accrual', memberID: member._id, value: 8, date: '2026-06-01T09:00:00.000Z' };
  const { body } = await world.server.as('client').post('/activity', purchase);
  expect(body.member.purses[0]).toMatchObject({ balance: 0, accruedPoints: 8, expiredPoints: 8 });
  const changes = (await metricCommits(world.services.db, member._id)).flat();
  expect(changes.filter(([metric]) => metric.startsWith('pointsExpired'))).toEqual([
    ['pointsExpired', 8, '2026-06-11'],
    ['pointsExpired:Points', 8, '2026-06-11'],
  ]);
});
