import { collectionOf } from '#base/db/collections';
import { derivedId, newStamps } from '#base/db/records';
import { limitCounterResource } from '#records/activities/limitCounter';
import type { Member } from '#records/members/member';
import { client } from '../support/client';
import { makePolicy, makeProgram } from '../support/definitions';
import { refusals } from '../support/refusals';
import { makeTestOrg } from '../support/services';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;
let ids: Record<'store' | 'partner' | 'offer' | 'reward', string>;

const define = async (path: string, body: Record<string, unknown>): Promise<string> => {
  const answer = await world.server.as('admin').post(`/${path}`, body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body._id;
};

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
  member = await world.addMember();
  const program = world.program._id;
  ids = {
    store: await define('locations', { number: '17', name: 'Main Street', tags: ['flagship'] }),
    partner: await define('partners', { code: 'fuel', name: 'Fuel' }),
    offer: await define('offers', { code: 'TEN', name: 'Ten off', program }),
    reward: await define('rewards', { code: 'MUG', name: 'A mug', program }),
  };
  await define('partners', { code: 'gone', name: 'Gone', status: 'Inactive' });
  const effective = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };
  await define('offers', { code: 'FEB', name: 'February', program, effective });
  const other = await makeProgram(world.services.db, world.author);
  await makePolicy(world.services.db, world.author, other);
  await define('offers', { code: 'OTHER', name: 'Of another program', program: other._id });
});

afterAll(() => world.close());

const post = (fields: Record<string, unknown>) =>
  acting.post({ type: 'Accrual', memberID: member._id, value: 5, ...fields });
const stored = async (fields: Record<string, unknown>) =>
  acting.history(await acting.processed('Accrual', member._id, fields));
const refusal = async (fields: Record<string, unknown>) => {
  const { body } = await post(fields);
  return body.result.errors.map(({ code, message }: { code: number; message: string }) => `${code} ${message}`);
};

test('the history keeps the location by its id, with its own fields only', async () => {
  const { location } = await stored({ locationId: ids.store });
  expect(location).toEqual({ _id: ids.store, number: '17', name: 'Main Street', tags: ['flagship'], status: 'Active' });
});

test('without an id the location is the one whose number is srcChannelID; an unknown number is no error', async () => {
  expect(await stored({ srcChannelID: '17' })).toMatchObject({ location: { _id: ids.store } });
  expect(await stored({ srcChannelID: '18' })).not.toHaveProperty('location');
});

test('locationId is filled when srcChannelID names the location, also in a cancellation; it finds the history', async () => {
  const bought = await stored({ srcChannelID: '17' });
  expect(bought).toMatchObject({ locationId: ids.store, srcChannelID: '17' });
  const { body } = await acting.cancel(bought._id, { srcChannelID: '17' });
  expect(await acting.history(body.result.data.activityId)).toMatchObject({ locationId: ids.store });
  const found = await world.server.as('client').get(`/activityhistories?locationId=${ids.store}&_id=${bought._id}`);
  expect(found.body).toHaveLength(1);
  expect(await stored({ srcChannelID: '18' })).not.toHaveProperty('locationId');
  expect(await stored({})).not.toHaveProperty('locationId');
});

test('rules see the filled locationId, and a limit per location counts both ways of naming it together', async () => {
  const atStore = { all: [{ fact: 'activity', path: '$.locationId', operator: 'equal', value: ids.store }] };
  const limits = [{ what: 'points', per: 'location', period: 'day', max: 12, onExceed: 'reduce' }];
  await world.publish([{ ...earnRule, conditions: atStore, limits }]);
  const member = await world.addMember();
  const bought = (fields: Record<string, unknown>) => acting.processed('Accrual', member._id, { value: 5, ...fields });
  const first = await bought({ srcChannelID: '17' });
  await bought({ locationId: ids.store });
  await bought({ srcChannelID: '17' });
  expect(await acting.balance(member._id)).toBe(12);
  await acting.cancel(first, { value: 2 });
  await bought({ srcChannelID: '17' });
  expect(await acting.balance(member._id)).toBe(12);
  await world.publish([earnRule]);
});

test('counts that older versions kept by the number of a location still count', async () => {
  const { db, clock } = world.services;
  const day = clock.now().toISOString().slice(0, 10);
  const of = ['limit', world.program._id, 'once', 'points', 'location', '17', 'day', day] as const;
  const stamps = newStamps(world.author, clock.now(), derivedId(...of));
  await collectionOf(db, limitCounterResource).insertOne({ ...stamps, used: 9 });
  const limits = [{ what: 'points', per: 'location', period: 'day', max: 12, onExceed: 'reduce' }];
  await world.publish([{ ...earnRule, key: 'once', limits }]);
  const member = await world.addMember();
  await acting.processed('Accrual', member._id, { value: 5, srcChannelID: '17' });
  await acting.processed('Accrual', member._id, { value: 5, locationId: ids.store });
  expect(await acting.balance(member._id)).toBe(3);
  await world.publish([earnRule]);
});

test('a locationId takes precedence over srcChannelID', async () => {
  const second = await define('locations', { number: '21', name: 'Second' });
  expect(await stored({ locationId: second, srcChannelID: '17' })).toMatchObject({ location: { number: '21' } });
});

test('an unknown locationId is 422, also with persist=false and asynchronously', async () => {
  const body = { type: 'Accrual', memberID: member._id, locationId: '0123456789abcdef01234567' };
  for (const query of ['', '?persist=false', '?async=true']) {
    const answer = await acting.post(body, query);
    expect([answer.status, refusals(answer)]).toEqual([422, ['locationId reference']]);
  }
});

test('the history keeps the partner, the coupon, and the coupon or offer of a line item', async () => {
  const lineItems = [{ itemSKU: 'a', couponCode: 'MUG' }, { itemSKU: 'b', offerId: ids.offer }, { itemSKU: 'c' }];
  const history = await stored({ partnerCode: 'fuel', couponCode: 'TEN', lineItems });
  expect(history).toMatchObject({
    partner: { _id: ids.partner, code: 'fuel', name: 'Fuel', status: 'Active' },
    coupon: { _id: ids.offer, code: 'TEN', name: 'Ten off', kind: 'offer' },
  });
  const kept = history.lineItems.map(({ coupon }: { coupon?: { code: string; kind: string } }) => coupon);
  expect(kept).toEqual([
    { _id: ids.reward, code: 'MUG', name: 'A mug', kind: 'reward', discount: 0 },
    { _id: ids.offer, code: 'TEN', name: 'Ten off', kind: 'offer' },
    undefined,
  ]);
});

test('a snapshot stays as it was when the definition changes', async () => {
  const id = await define('partners', { code: 'shop', name: 'Before' });
  const activity = await acting.processed('Accrual', member._id, { partnerCode: 'shop' });
  await world.server.as('admin').put(`/partners/${id}`, { name: 'After' });
  expect(await acting.history(activity)).toMatchObject({ partner: { name: 'Before' } });
});

test.each([
  ['an unknown partner', { partnerCode: 'x' }, 'The partner code x is not valid'],
  ['a partner that is not active', { partnerCode: 'gone' }, 'The partner gone is Inactive, not Active'],
  ['an unknown coupon', { couponCode: 'x' }, 'The coupon code x is not valid'],
  ['a coupon of another program', { couponCode: 'OTHER' }, 'The coupon code OTHER belongs to another program'],
  [
    'a coupon before its time',
    { couponCode: 'FEB', date: '2026-01-31T23:59:59.999Z' },
    'The coupon code FEB is valid from 2026-02-01T00:00:00.000Z on',
  ],
  [
    'a coupon after its time',
    { couponCode: 'FEB', date: '2026-03-01T00:00:00.000Z' },
    'The coupon code FEB was valid before 2026-03-01T00:00:00.000Z',
  ],
  [
    'an unknown offer of a line item',
    { lineItems: [{ itemSKU: 'a', offerId: '0123456789abcdef01234567' }] },
    'The offer 0123456789abcdef01234567 is not valid',
  ],
])('%s ends in error 2500 that says why, without effect', async (_name, fields, message) => {
  const before = await acting.purse(member._id);
  expect(await refusal(fields)).toEqual([`2500 ${message}`]);
  expect(await acting.purse(member._id)).toEqual(before);
});

test('a coupon is valid by the date of the activity, from its first moment on', async () => {
  expect(await stored({ couponCode: 'FEB', date: '2026-02-01T00:00:00.000Z' })).toMatchObject({ status: 'Processed' });
});

test('every faulty code is reported once', async () => {
  const lineItems = [
    { itemSKU: 'a', couponCode: 'x' },
    { itemSKU: 'b', couponCode: 'x' },
  ];
  expect(await refusal({ partnerCode: 'y', couponCode: 'z', lineItems })).toEqual([
    '2500 The partner code y is not valid',
    '2500 The coupon code z is not valid',
    '2500 The coupon code x is not valid',
  ]);
});

describe('a referral code', () => {
  test('of another member of the program is accepted', async () => {
    const friend = await world.addMember();
    expect(await stored({ referralCode: friend.referralCode })).toMatchObject({ status: 'Processed' });
  });

  test("that is the member's own, of another program or of an inactive member ends in error 2500", async () => {
    expect(await refusal({ referralCode: member.referralCode })).toEqual([
      `2500 The referral code ${member.referralCode} is the member's own`,
    ]);
    const program = await makeProgram(world.services.db, world.author);
    const stranger = await world.addMember({ program: program._id });
    expect(codes(await post({ referralCode: stranger.referralCode }))).toEqual([2500]);
    const idle = await world.addMember({ status: 'Suspended' });
    expect(codes(await post({ referralCode: idle.referralCode }))).toEqual([2500]);
  });
});

test('records of another org are unknown', async () => {
  const other = await makeTestOrg(world.services, 'elsewhere');
  const { post: create } = client(world.server.url, other.users.admin.token);
  const location = await create('/locations', { number: '99', name: 'Theirs' });
  await create('/partners', { code: 'theirs', name: 'Theirs' });
  expect(refusals(await post({ locationId: location.body._id }))).toEqual(['locationId reference']);
  expect(codes(await post({ partnerCode: 'theirs' }))).toEqual([2500]);
  expect(await stored({ srcChannelID: '99' })).not.toHaveProperty('location');
});

test('each activity of a batch gets its own records', async () => {
  const buyers = await Promise.all([1, 2, 3].map(() => world.addMember()));
  const fields = [{ locationId: ids.store }, { partnerCode: 'fuel' }, { couponCode: 'MUG' }];
  const answers = await Promise.all(
    buyers.map(({ _id }, index) => acting.post({ type: 'Accrual', memberID: _id, ...fields[index] })),
  );
  const histories = await Promise.all(answers.map(({ body }) => acting.history(body.result.data.activityId)));
  expect(histories).toMatchObject([
    { location: { number: '17' } },
    { partner: { code: 'fuel' } },
    { coupon: { code: 'MUG' } },
  ]);
  expect(histories.map((history) => ['location', 'partner', 'coupon'].filter((name) => name in history))).toEqual([
    ['location'],
    ['partner'],
    ['coupon'],
  ]);
});
