import type { ObjectId } from 'bson';
import { runJob } from '#operations/jobs/runJob';
import { pathTemplates } from '#platform/http/openApi/openApi';
import { type Route, routePaths } from '#platform/http/route';
import type { Member } from '#records/members/member';
import { allRoutes } from '#server/routes';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import type { Response } from '../../support/client';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

const transferRule = {
  key: 'give',
  name: 'Give to a friend',
  status: 'active',
  activityTypes: ['Redemption'],
  priority: 20,
  conditions: { all: [{ fact: 'activity', path: '$.ext.friend', operator: 'isEmpty', value: false }] },
  actions: [
    {
      type: 'transferPoints',
      purse: 'Points',
      points: 1,
      toMember: { loyaltyID: { fact: 'activity', path: '$.ext.friend' } },
    },
  ],
};

let world: World;
let acting: ActivityApi;
/** `first` was merged into `second`, and `second` into `last`. */
let first: Member;
let second: Member;
let last: Member;
let erased: Member;
let document: Response['body'];
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, { ...redeemRule, status: 'paused' }, transferRule] });
  acting = activityApi(world);
  const person = { firstName: 'Anna', email: 'anna@example.com' };
  first = await world.addMember({ ...person, loyaltyID: 'CARD-1' });
  second = await world.addMember({ ...person, loyaltyID: 'CARD-2' });
  last = await world.addMember({ ...person, loyaltyID: 'CARD-3' });
  erased = await world.addMember();
  await merge(second, first);
  await merge(last, second);
  await admin().delete(`/members/${erased._id}`);
  document = (await world.server.anonymous.send('GET', '/openapi.json')).body;
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const merge = (into: Member, from: Member) => admin().post(`/members/${into._id}/merge`, { memberIds: [from._id] });
const query = (filter: object) => `query=${encodeURIComponent(JSON.stringify(filter))}`;

describe('every route whose path names a merged member answers 410', () => {
  /** A route below `/members/` names the member by its first parameter; any other by a parameter called `member…`. */
  const namesMember = ({ path }: Route) => /^\/members\/:|:member/.test(path);
  const cases = allRoutes
    .filter(namesMember)
    .flatMap((route) => routePaths(route).map((path) => [`${route.method} ${path}`, route, path] as const));

  test('among them the routes of the specification', () => {
    expect(cases.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'GET /members/:id',
        'PUT /api/v1/members/:id',
        'POST /api/v1/members/:id/merge',
        'GET /api/v1/accounts/member/:memberid',
      ]),
    );
  });

  test.each(cases)('%s', async (_name, route, path) => {
    const { method, body } = route;
    const example = body && bodyFor(route);
    const ask = (id: ObjectId) =>
      admin().send(method, path.replace(/:\w+/, `${id}`), example === undefined ? {} : { body: example });
    for (const { _id } of [first, second]) {
      const { status, body: answer } = await ask(_id);
      expect([status, answer.code, answer.mergedInto]).toEqual([410, 1510, `${last._id}`]);
    }
    const { status, body: answer } = await ask(erased._id);
    expect([status, answer.code, answer.mergedInto]).toEqual([410, 1510, undefined]);
  });

  /** The example of the OpenAPI document, so that nothing but the member is wrong. */
  function bodyFor(route: Route): unknown {
    const { requestBody } = document.paths[pathTemplates(route)[0] ?? ''][route.method.toLowerCase()];
    return requestBody.content['application/json'].example;
  }

  test.each(['members.member', 'members.memberId'])('also to unlink by %s', async (name) => {
    for (const [{ _id }, mergedInto] of [
      [first, `${last._id}`],
      [second, `${last._id}`],
      [erased, undefined],
    ] as const) {
      expect(await admin().post(`/accounts/unlink?${query({ [name]: _id })}`)).toBeRefused(410, 1510, { mergedInto });
    }
  });
});

test('lists show the last survivor of every merged member, with a new version', async () => {
  const { body } = await admin().get(`/members?${query({ status: 'Merged' })}&select=mergedInto,version`);
  expect(body).toMatchObject([first, second].map(({ _id }) => ({ _id: `${_id}`, mergedInto: `${last._id}` })));
  const [{ version }] = body;
  expect(version).toBeGreaterThan(first.version + 1);
});

describe('every loyalty id that led to a member finds the survivor', () => {
  const cards = ['CARD-1', 'CARD-2', 'CARD-3'];

  it.each<[string, (card: string) => string]>([
    ['an argument', (card) => `loyaltyID=${card}`],
    ['a query', (card) => query({ loyaltyID: card })],
    ['$eq', (card) => query({ loyaltyID: { $eq: card } })],
    ['$in', (card) => query({ loyaltyID: { $in: [card, 'NONE'] } })],
    ['$not', (card) => query({ loyaltyID: { $not: { $nin: [card] } } })],
    ['a regular expression', (card) => `loyaltyID=~^${card.toLowerCase()}$`],
    ['a branch of $or', (card) => query({ $or: [{ loyaltyID: card }, { loyaltyID: 'NONE' }] })],
    ['the list of ids', (card) => `loyaltyIDs=${card}`],
  ])('by %s of GET /members and its count', async (_name, argumentOf) => {
    for (const card of cards) {
      const { body } = await admin().get(`/members?${argumentOf(card)}`);
      expect(body.map(({ _id }: Member) => _id)).toEqual([`${last._id}`]);
      expect((await admin().get(`/members/count?${argumentOf(card)}`)).body).toEqual({ count: 1 });
    }
  });

  it('and is excluded by $ne, $nin and !=', async () => {
    const some = { _id: { $in: [first._id, last._id] } };
    const left = [{ _id: `${first._id}` }];
    for (const none of [{ $ne: 'CARD-1' }, { $nin: ['CARD-2', 'NONE'] }, { $not: { $eq: 'CARD-3' } }]) {
      const { body } = await admin().get(`/members?${query({ ...some, loyaltyID: none })}&select=_id`);
      expect(body).toEqual(left);
    }
    expect((await admin().get(`/members?loyaltyID=!=CARD-1&${query(some)}&select=_id`)).body).toEqual(left);
  });

  it('by a lookup in a body', async () => {
    for (const card of cards) {
      const lookup = { model: 'Member', keys: { loyaltyID: card }, select: ['_id'] };
      const { body } = await acting.post({ type: 'Accrual', memberID: { lookup }, value: 1 }, '?preprocess=true');
      expect(body.member._id).toBe(`${last._id}`);
    }
  });

  it('in an activity, in a transfer, as memberID and as the referrer', async () => {
    await acting.processed('Accrual', last._id, { value: 10 });
    const friend = await world.addMember();
    await acting.processed('Accrual', friend._id, { value: 10 });
    for (const [card, member] of [
      ['CARD-1', first],
      ['CARD-2', second],
      ['CARD-3', last],
    ] as const) {
      const posts = [{ loyaltyID: card }, { memberID: member._id }, { loyaltyID: card, memberID: last._id }];
      for (const named of posts) {
        const { body } = await acting.post({ type: 'Accrual', value: 1, ...named });
        expect(body.member._id).toBe(`${last._id}`);
      }
      const before = await acting.balance(last._id);
      await acting.processed('Redemption', friend._id, { ext: { friend: card } });
      expect(await acting.balance(last._id)).toBe(before + 1);
      const { body } = await acting.post({ type: 'Accrual', memberID: friend._id, referralCode: member.referralCode });
      expect(body.result.errors).toEqual([]);
    }
  });

  it('and owns the activity that a cancel names, before and after the job', async () => {
    const [early, late] = [
      await acting.processed('Accrual', last._id, { value: 3 }),
      await acting.processed('Accrual', last._id, { value: 4 }),
    ];
    const other = await world.addMember();
    expect((await acting.cancel(early, {}, `?memberId=${other._id}`)).status).toBe(404);
    expect((await acting.cancel(early, {}, `?memberId=${first._id}`)).body.result.data.status).toBe('Processed');
    await runJob(world.services, 'members', world.services.org._id);
    const { body } = await acting.cancel(late, { loyaltyID: 'CARD-1', memberID: second._id });
    expect(body.result.data.status).toBe('Processed');
  });

  it('and no other member can get it', async () => {
    const { status, body } = await admin().post('/members', { program: world.program._id, loyaltyID: 'CARD-1' });
    expect([status, body.errors[0].path, body.errors[0].kind]).toEqual([422, 'loyaltyID', 'unique']);
  });
});
