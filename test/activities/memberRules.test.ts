import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const base = { activityTypes: ['Accrual'], priority: 9 };
const holds = (key: string, condition: object) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  conditions: { all: [condition] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1 }],
});
const isIn = (segment: string) => ({ fact: 'member', path: '$.segments', operator: 'contains', value: segment });
const join = { ...base, key: 'join', name: 'Join', actions: [{ type: 'addSegment', segment: 'VIP' }] };
const leave = { ...base, key: 'leave', name: 'Leave', actions: [{ type: 'removeSegment', segment: 'VIP' }] };

let world: World;
let acting: ActivityApi;
let vip: string;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  acting = activityApi(world);
  const manager = world.server.as('program-manager');
  const stay = { type: 'ActivityType', value: 'Stay', label: 'Stay' };
  expect((await manager.post('/enums', stay)).status).toBe(201);
  vip = (await manager.post('/segments', { name: 'VIP' })).body._id;
  expect((await manager.post('/segments', { name: 'French', kind: 'query', query: { locale: 'fr-FR' } })).status).toBe(
    201,
  );
});
afterAll(() => world.close());

const points = async (memberID: Parameters<ActivityApi['purse']>[0]) => await acting.balance(memberID);
const stored = async (id: unknown) => (await world.server.as('client').get(`/members/${id}`)).body;

test('a rule puts a member into a segment, for rules of lower priority, later activities and after a cancel', async () => {
  await world.publish([join, holds('vip', isIn('VIP'))]);
  const member = await world.addMember();

  const id = await acting.processed('Accrual', member._id, { value: 1 });

  expect((await stored(member._id)).segments).toEqual([vip]);
  expect(await points(member._id)).toBe(1);
  expect((await acting.history(id)).result.log[0]).toMatchObject({ action: 'addSegment', results: { segment: 'VIP' } });
  const { body: cancelled } = await acting.cancel(id);
  const stays = { did: 'stays', action: 'addSegment', results: { segment: 'VIP' } };
  expect(cancelled.result.log.entries.map(({ results }: { results: unknown }) => results)).toContainEqual(stays);
  expect((await stored(member._id)).segments).toEqual([vip]);
  await world.publish([leave, holds('vip', isIn('VIP'))]);
  await acting.processed('Accrual', member._id, { value: 1 });
  expect((await stored(member._id)).segments).toEqual([]);
  expect(await points(member._id)).toBe(0);
});

test('an activity of a batch sees the segments that earlier ones changed, and a refused one changes none', async () => {
  const once = { ...join, conditions: { all: [{ not: isIn('VIP') }] } };
  const refuse = {
    ...holds('no', { fact: 'activity', path: '$.value', operator: 'equal', value: 7 }),
    actions: [{ type: 'reject', message: 'no' }],
  };
  await world.publish([once, holds('vip', isIn('VIP')), refuse]);
  const [member, other] = await Promise.all([world.addMember(), world.addMember()]);

  await Promise.all(Array.from({ length: 6 }, () => acting.processed('Accrual', member._id, { value: 1 })));
  const refused = await acting.post({ type: 'Accrual', memberID: other._id, value: 7 });

  expect(await points(member._id)).toBe(6);
  expect(refused.body.result.data.status).toBe('Error');
  expect((await stored(other._id)).segments).toEqual([]);
});

test('rules look at segments by query, in conditions and in segments[]', async () => {
  await world.publish([
    holds('french', isIn('French')),
    { ...holds('listed', { fact: 'hour', operator: 'lessThan', value: 99 }), segments: ['French'] },
  ]);
  const french = await world.addMember({ locale: 'fr-FR' });
  const german = await world.addMember({ locale: 'de-DE' });

  await Promise.all([french, german].map(({ _id }) => acting.processed('Accrual', _id, { value: 1 })));

  expect([await points(french._id), await points(german._id)]).toEqual([2, 0]);
});

test('extension fields of members and activities are set, seen by lower priorities, and kept after a cancel', async () => {
  const sets = {
    ...base,
    key: 'sets',
    name: 'Sets',
    actions: [
      { type: 'setExt', on: 'member', values: { colour: 'red' } },
      { type: 'setExt', on: 'activity', values: { checked: true } },
    ],
  };
  const sees = [
    holds('member', { fact: 'member', path: '$.ext.colour', operator: 'equal', value: 'red' }),
    holds('activity', { fact: 'activity', path: '$.ext.checked', operator: 'equal', value: true }),
    holds('sent', { fact: 'activity', path: '$.ext.sent', operator: 'equal', value: 1 }),
  ];
  await world.publish([sets, ...sees]);
  const member = await world.addMember({ ext: { size: 'L' } });

  const id = await acting.processed('Accrual', member._id, { value: 1, ext: { sent: 1 } });
  await acting.cancel(id);

  expect((await stored(member._id)).ext).toEqual({ size: 'L', colour: 'red' });
  expect((await acting.history(id)).ext).toEqual({ sent: 1, checked: true });
  expect((await acting.history(id)).result.log).toMatchObject([
    { action: 'setExt', results: { on: 'member' } },
    { action: 'setExt', results: { on: 'activity' } },
    ...sees.map(() => ({ action: 'addPoints' })),
  ]);
});

test.each<[string, object, object]>([
  ['segments', { type: 'addSegment', segment: 'VIP' }, { segments: [expect.any(String)] }],
  ['extension fields', { type: 'setExt', on: 'member', values: { colour: 'blue' } }, { ext: { colour: 'blue' } }],
])('an activity that changes nothing but the %s of its member is stored', async (_fields, action, expected) => {
  await world.publish([{ ...base, key: 'only', name: 'Only', activityTypes: ['Stay'], actions: [action] }]);
  const member = await world.addMember();

  await acting.processed('Stay', member._id);

  expect(await stored(member._id)).toMatchObject(expected);
});

test('a history keeps the facts that rules read beside the activity, and never shows them', async () => {
  await world.publish([
    holds('vip', isIn('VIP')),
    holds('value', { fact: 'activity', path: '$.value', operator: 'equal', value: 1 }),
  ]);
  const member = await world.addMember();

  const id = await acting.processed('Accrual', member._id, { value: 1 });

  const kept = await world.services.db.collection('activityhistories').findOne({ memberID: member._id });
  expect(kept?.factsRead).toEqual([{ fact: 'member', path: '$.segments', priority: 1, value: [] }]);
  expect(await acting.history(id)).not.toHaveProperty('factsRead');
});
