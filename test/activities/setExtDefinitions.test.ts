import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const rule = (key: string, channel: string, actions: object[]) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  priority: 9,
  actions,
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: channel }] },
});
const sets = (on: 'member' | 'activity', values: object) => ({ type: 'setExt', on, values });
const point = { type: 'addPoints', purse: 'Points', points: 1 };

let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({
    rules: [
      rule('fits', 'POS', [
        sets('member', { level: 3, since: '2026-01-31T12:00:00+0200' }),
        sets('activity', { checked: true }),
      ]),
      rule('too-high', 'Web', [point, sets('member', { level: 11 })]),
      rule('not-defined', 'Mobile', [point, sets('activity', { chekced: true })]),
    ],
  });
  acting = activityApi(world);
  await define('Member', { level: { type: 'integer', min: 1, max: 10 }, since: { type: 'date' } });
  await define('Activity', { checked: { type: 'boolean' }, note: { type: 'string' } });
});
afterAll(() => world.close());

async function define(model: string, fields: Record<string, object>): Promise<void> {
  const manager = world.server.as('program-manager');
  const { body } = await manager.post('/extschemas', { model, name: model });
  for (const [field, def] of Object.entries(fields)) {
    expect((await manager.post('/extdefs', { extSchema: body._id, field, ...def })).status).toBe(201);
  }
}

const extOf = async (id: unknown) => (await world.server.as('client').get(`/members/${id}`)).body.ext;

test('a value that a rule sets is stored by its definition, beside the other fields', async () => {
  const member = await world.addMember({ ext: { level: 1 } });

  const id = await acting.processed('Accrual', member._id, { value: 1, srcChannelType: 'POS', ext: { note: 'a' } });

  expect(await extOf(member._id)).toEqual({ level: 3, since: '2026-01-31T10:00:00.000Z' });
  expect((await acting.history(id)).ext).toEqual({ note: 'a', checked: true });
});

test.each([
  ['Web', 'a value beyond its bounds', 'Rule too-high: ext.level '],
  ['Mobile', 'a field that is not defined', 'Rule not-defined: ext.chekced '],
])('a rule on %s that sets %s fails the whole activity with 2900', async (channel, _, message) => {
  const member = await world.addMember({ ext: { level: 1 } });

  const { status, body } = await acting.post({
    type: 'Accrual',
    memberID: member._id,
    value: 1,
    srcChannelType: channel,
  });

  expect(status).toBe(200);
  expect(body.result.data.status).toBe('Error');
  expect(body.result.errors).toMatchObject([{ code: 2900, message: expect.stringContaining(message), status: 422 }]);
  expect(await extOf(member._id)).toEqual({ level: 1 });
  expect(await acting.purse(member._id)).toMatchObject({ balance: 0 });
  expect(await acting.history(body.result.data.activityId)).toMatchObject({ status: 'Error' });
  expect(await acting.mismatches()).toEqual([]);
});

test('a failing activity does not fail the others of its batch', async () => {
  const [good, bad] = await Promise.all([world.addMember(), world.addMember()]);

  const post = (memberID: unknown, srcChannelType: string) =>
    acting.post({ type: 'Accrual', memberID, value: 1, srcChannelType });
  const posted = await Promise.all([post(good._id, 'POS'), post(bad._id, 'Web'), post(good._id, 'POS')]);

  expect(posted.map(({ body }) => body.result.data.status)).toEqual(['Processed', 'Error', 'Processed']);
  expect(await extOf(good._id)).toMatchObject({ level: 3 });
});
