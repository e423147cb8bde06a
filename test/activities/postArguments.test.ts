import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

const wednesdays = {
  ...earnRule,
  key: 'wednesday',
  name: 'Wednesdays',
  priority: 5,
  conditions: { all: [{ fact: 'dayOfWeek', operator: 'equal', value: 3 }] },
  actions: [{ type: 'addPoints', purse: 'Points', points: 1000 }],
};

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  const policies = [{ expiry: { type: 'rolling' as const, value: 10, unit: 'day' as const } }];
  world = await openWorld({ rules: [earnRule, wednesdays, redeemRule], policies });
  // A Sunday.
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  acting = activityApi(world);
  member = await world.addMember();
});

afterAll(() => world.close());

const accrual = () => ({ type: 'Accrual', memberID: member._id, value: 5 });

describe('filter narrows the result to', () => {
  test.each([
    ['all', ['data', 'errors', 'log']],
    ['log', ['log']],
    ['errors', ['errors']],
    ['data', ['data']],
    ['data,log', ['data', 'log']],
    ['data,%20errors', ['data', 'errors']],
  ])('%s', async (filter, sections) => {
    const { status, body } = await acting.post(accrual(), `?filter=${filter}`);
    expect([status, Object.keys(body.result).sort()]).toEqual([200, sections]);
    expect(body.member._id).toBe(member._id.toHexString());
  });
});

test('the trailing slash of the reference is tolerated', async () => {
  const { status } = await world.server.as('client').post('/activity/?filter=all', accrual());
  expect(status).toBe(200);
});

describe('an argument is refused with 400 and nothing is written:', () => {
  test.each([
    ['filter=none'],
    ['filter='],
    ['filter=all,log'],
    ['filter=log,,data'],
    ['persist=no'],
    ['persist='],
    ['persist=1'],
    ['async=TRUE'],
    ['explain=yes'],
    ['async=true&persist=false'],
    ['asOf=2026-01-01T00:00:00.000Z'],
    ['asOf=2026-01-01T00:00:00.000Z&persist=true'],
    ['persist=false&asOf=tomorrow'],
    ['persist=false&asOf=2026-02-30T00:00:00.000Z'],
    ['persist=true&persist=false'],
    ['verbose=true'],
    ['validate={}'],
    ['memberId=0123456789abcdef01234567'],
    ['filter[$ne]=log'],
  ])('%s', async (query) => {
    const before = await acting.dump();
    expect(await acting.post(accrual(), `?${query}`)).toBeRefused(400, 1210);
    expect(await acting.dump()).toEqual(before);
  });
});

describe('persist=false answers and writes nothing at all:', () => {
  test.each([
    ['an accrual', () => accrual(), 'Processed'],
    ['a redemption that is covered', () => ({ ...accrual(), type: 'Redemption', value: 1 }), 'Processed'],
    ['a redemption that is not covered', () => ({ ...accrual(), type: 'Redemption', value: 10 ** 9 }), 'Error'],
    ['an activity with a key', () => ({ ...accrual(), externalTxnId: 'dry' }), 'Processed'],
  ])('%s', async (_name, make, expected) => {
    await acting.processed('Accrual', member._id, { value: 3 });
    const before = await acting.dump();
    const { status, body } = await acting.post(make(), '?persist=false', { 'idempotency-key': 'dry' });
    expect([status, body.result.data]).toEqual([200, { activityId: null, status: expected }]);
    expect(await acting.dump()).toEqual(before);
  });

  test('a cancellation', async () => {
    const id = await acting.processed('Accrual', member._id, { value: 3 });
    const before = await acting.dump();
    const { body } = await acting.cancel(id, { value: 2 }, '?persist=false');
    expect(body.result.data).toEqual({ activityId: null, status: 'Processed' });
    expect(await acting.dump()).toEqual(before);
  });
});

test('asOf sets now and the default date of what is tried', async () => {
  const fresh = await world.addMember();
  const body = { type: 'Accrual', memberID: fresh._id, value: 5 };
  const now = await acting.post(body, '?persist=false');
  expect(now.body.member.purses[0].balance).toBe(5);
  const wednesday = await acting.post(body, '?persist=false&asOf=2026-03-04T09:00:00.000Z');
  expect(wednesday.body.member.purses[0].balance).toBe(1005);
  expect(wednesday.body.member.purses[0].accruals[0].dtEarned).toBe('2026-03-04T09:00:00.000Z');
  await acting.processed('Accrual', fresh._id, { value: 7 });
  const later = await acting.post({ ...body, value: 0 }, '?persist=false&asOf=2026-03-11T12:00:00.000Z');
  expect(later.body.member.purses[0]).toMatchObject({ expiredPoints: 7, availBalance: 1000 });
});

test('explain answers every rule of the type with its reason, and without it there is none', async () => {
  const { body } = await acting.post(accrual(), '?explain=true');
  expect(body.ruleMatch).toEqual([
    expect.objectContaining({
      key: 'earn',
      fired: true,
      desired: 5,
      granted: 5,
      sentence: 'It fired for 5 points in Points.',
    }),
    expect.objectContaining({
      key: 'wednesday',
      fired: false,
      reason: 'conditionFailed',
      failedCondition: expect.objectContaining({ fact: 'dayOfWeek', operator: 'equal', expected: 3, actual: 0 }),
      sentence: 'It needs that the day of the week is Wednesday: it was Sunday.',
    }),
  ]);
  const german = await acting.post(accrual(), '?explain=true&persist=false&lang=de');
  expect(german.body.ruleMatch.map(({ sentence }: { sentence: string }) => sentence)).toEqual([
    'Sie hat gegriffen: 5 Punkte in Points.',
    'Sie verlangt: Wochentag ist Mittwoch; der Wert war Sonntag.',
  ]);
  expect((await acting.post(accrual(), '?explain=true&lang=fr')).status).toBe(400);
  expect((await acting.post(accrual())).body.ruleMatch).toBeUndefined();
  const history = await acting.history(body.result.data.activityId);
  expect(history.ruleMatch.map(({ key }: { key: string }) => key)).toEqual(['earn']);
});

test('a role that may not post is refused with 403, one that may not cancel cannot post a Cancellation', async () => {
  const id = await acting.processed('Accrual', member._id, { value: 3 });
  const before = await acting.dump();
  const posted = await world.server.as('reader').post('/activity', accrual());
  const cancelled = await world.server.as('reader').post(`/activity/${id}/cancel`);
  expect([posted.status, posted.body.code, cancelled.status]).toEqual([403, 1130, 403]);
  expect(await acting.dump()).toEqual(before);
});
