import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { earnRule, openWorld, type World } from '../../support/world';

const limits = [{ what: 'points', per: 'account', period: 'month', max: 100, onExceed: 'reduce' }];
const shared = { ...earnRule, limits };
const rejecting = { ...shared, limits: [{ ...limits[0], onExceed: 'reject' }] };

let world: World;
beforeEach(async () => {
  world = await openWorld({ rules: [shared], program: { timezone: 'America/New_York' } });
  world.services.clock.set('2026-03-04T12:00:00.000Z');
});
afterEach(() => world.close());

const admin = () => world.server.as('admin');
const people = () => Promise.all([1, 2, 3].map(async () => (await world.addMember())._id.toHexString()));
const entry = (member: string) => ({ member, program: world.program._id });

async function buy(memberID: string, value: number): Promise<string> {
  world.services.clock.advance(60_000);
  const { body } = await world.server.as('client').post('/activity', { type: 'Accrual', memberID, value });
  return body.result.data.activityId;
}
const giveBack = async (id: string, body: object) => {
  world.services.clock.advance(60_000);
  expect((await admin().post(`/activity/${id}/cancel`, body)).body.result.errors).toEqual([]);
};

async function simulate(rules: object[]) {
  const response = await world.server.as('program-manager').post('/rules/simulate', { rules });
  expect(response.status).toBe(202);
  await runNextSimulation(world.services);
  return (await world.server.as('program-manager').send('GET', String(response.headers.get('location')))).body.result;
}

/** A household that two members enter and leave, with purchases and returns before, between and after. */
async function liveThrough() {
  const [ann = '', bob = '', cat = ''] = await people();
  await buy(ann, 30);
  expect((await admin().post('/accounts', { members: [entry(ann), entry(bob)] })).status).toBe(201);
  const first = await buy(ann, 60);
  await buy(bob, 70);
  await giveBack(first, { value: 20 });
  await buy(bob, 50);
  await buy(cat, 90);
  const left = await admin().post(`/accounts/unlink?query=${JSON.stringify({ 'members.member': ann })}`);
  expect(left.status).toBe(200);
  await buy(ann, 90);
  await giveBack(first, {});
  await buy(bob, 90);
}

test.each([
  ['reduces', shared],
  ['rejects', rejecting],
])('unchanged files give no difference for households whose limit %s', async (_name, rule) => {
  await world.publish([rule]);
  await liveThrough();
  const result = await simulate([rule]);
  expect(result).toMatchObject({ differing: 0, notEvaluated: 0, points: { difference: 0 } });
  expect(result.points.before).toBe(await ledgerPoints());
});

test('a higher limit of a household gives what its members together would have earned', async () => {
  const [ann = '', bob = ''] = await people();
  await admin().post('/accounts', { members: [entry(ann), entry(bob)] });
  await buy(ann, 80);
  await buy(bob, 80);
  const more = { ...shared, limits: [{ ...limits[0], max: 130 }] };
  expect((await simulate([more])).points).toEqual({ before: 100, after: 130, difference: 30 });
});

async function ledgerPoints(): Promise<number> {
  const members = await world.services.db.collection('members').find({ org: world.services.org._id }).toArray();
  return members.reduce((sum, { purses }) => sum + purses[0].balance, 0);
}
