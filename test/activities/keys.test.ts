import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import { refusals } from '../support/refusals';
import { earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
});

beforeEach(async () => {
  member = await world.addMember();
});

afterAll(() => world.close());

const keyed = (externalTxnId: string, fields: object = {}) => ({
  type: 'Accrual',
  memberID: member._id,
  value: 5,
  externalTxnId,
  ...fields,
});
const byHeader = (key: string) => ({ 'idempotency-key': key });
const replayed = (headers: Headers) => headers.get('idempotent-replayed');

test('a replay answers the first result under its own filter and the member as it is now', async () => {
  const first = await acting.post(keyed('filter'), '?filter=data');
  await acting.processed('Accrual', member._id, { value: 10 });
  const second = await acting.post(keyed('filter'), '?filter=log,errors');
  expect(Object.keys(second.body.result).sort()).toEqual(['errors', 'log']);
  expect(second.body.member.purses[0].balance).toBe(15);
  const third = await acting.post(keyed('filter'));
  expect(third.body.result.data).toEqual(first.body.result.data);
  expect([replayed(first.headers), replayed(second.headers)]).toEqual([null, 'true']);
});

test('a replay whose first post ended in Error answers that error again', async () => {
  const unknownCode = keyed('error', { couponCode: 'nothing' });
  const first = await acting.post(unknownCode);
  const second = await acting.post(unknownCode);
  expect(second.body.result).toEqual(first.body.result);
  expect(second.body.result.errors).toEqual([expect.objectContaining({ code: 2500 })]);
});

test('an async post with a finished key answers 200 and the replayed result at once, whoever was first', async () => {
  const first = await acting.post(keyed('done'));
  const again = await acting.post(keyed('done'), '?async=true&filter=data');
  expect([again.status, replayed(again.headers)]).toEqual([200, 'true']);
  expect(again.body.result).toEqual({ data: first.body.result.data });
  expect(again.body.member.purses[0].balance).toBe(5);

  expect((await acting.post(keyed('queued before'), '?async=true')).status).toBe(202);
  await acting.drain();
  const second = await acting.post(keyed('queued before'), '?async=true');
  expect([second.status, replayed(second.headers), second.body.result.data.status]).toEqual([200, 'true', 'Processed']);
  expect(refusals(await acting.post(keyed('queued before', { value: 6 }), '?async=true'))).toEqual([
    'externalTxnId unique',
  ]);
});

test('the order of the keys of a body does not matter, at any depth', async () => {
  const one = keyed('order', { ext: { a: 1, b: { c: 2, d: 3 } }, lineItems: [{ itemSKU: 's', quantity: 1 }] });
  const other = Object.fromEntries(Object.entries(one).reverse());
  const turned = { ...other, ext: { b: { d: 3, c: 2 }, a: 1 }, lineItems: [{ quantity: 1, itemSKU: 's' }] };
  const first = await acting.post(one);
  const second = await acting.post(turned);
  expect(second.body.result).toEqual(first.body.result);
  expect(replayed(second.headers)).toBe('true');
});

test.each([
  ['value', { value: 6 }],
  ['type of a value', { ext: { a: '1' } }],
  ['order of a list', { ext: { a: [2, 1] } }],
  ['additional default spelt out', { lineItems: [] }],
])('a used key with another %s answers 422 and has no effect', async (name, fields) => {
  const key = `other ${name}`;
  await acting.post(keyed(key, { ext: { a: [1, 2] } }));
  const before = await acting.dump();
  const { status, body } = await acting.post(keyed(key, { ext: { a: [1, 2] }, ...fields }));
  expect([status, body.errors]).toEqual([422, [expect.objectContaining({ kind: 'unique', path: 'externalTxnId' })]]);
  const queued = await acting.post(keyed(key, { ext: { a: [1, 2] }, ...fields }), '?async=true');
  expect([queued.status, refusals(queued)]).toEqual([422, ['externalTxnId unique']]);
  expect(await acting.dump()).toEqual(before);
});

test('a key is unique over all routes: a cancel cannot use the key of a post', async () => {
  const { body } = await acting.post(keyed('routes'));
  const cancelled = await acting.cancel(body.result.data.activityId, { externalTxnId: 'routes' });
  expect([cancelled.status, refusals(cancelled)]).toEqual([422, ['externalTxnId unique']]);
});

test('an Idempotency-Key counts as the key when no externalTxnId is sent, and is not stored in the history', async () => {
  const body = { type: 'Accrual', memberID: member._id, value: 5 };
  const first = await acting.post(body, '', byHeader('header'));
  const second = await acting.post(body, '', byHeader('header'));
  expect(second.body.result).toEqual(first.body.result);
  expect(replayed(second.headers)).toBe('true');
  const history = await acting.history(first.body.result.data.activityId);
  expect(history.externalTxnId).toBeUndefined();
  expect((await acting.post({ ...body, value: 6 }, '', byHeader('header'))).status).toBe(422);
});

test('with an externalTxnId the header is ignored', async () => {
  const first = await acting.post(keyed('body key 1'), '', byHeader('both'));
  const second = await acting.post(keyed('body key 2'), '', byHeader('both'));
  expect([first.status, second.status, replayed(second.headers)]).toEqual([200, 200, null]);
  expect(await acting.balance(member._id)).toBe(10);
});

test('an Idempotency-Key of more than 255 characters answers 400', async () => {
  const answer = await acting.post({ type: 'Accrual', memberID: member._id }, '', byHeader('x'.repeat(256)));
  expect(answer).toBeRefused(400, 1210);
});

test('persist=false neither reads nor writes keys', async () => {
  const dry = await acting.post(keyed('dry'), '?persist=false');
  expect(dry.body.result.data.activityId).toBeNull();
  const other = await acting.post(keyed('dry', { value: 9 }));
  expect(other.status).toBe(200);
  const again = await acting.post(keyed('dry'), '?persist=false');
  expect([again.status, replayed(again.headers), again.body.member.purses[0].balance]).toEqual([200, null, 14]);
});

test('posts of one key at once have one effect and one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => acting.post(keyed('at once'))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.result.data.activityId)).size).toBe(1);
  expect(answers.filter(({ headers }) => replayed(headers) === null)).toHaveLength(1);
  expect(await acting.balance(member._id)).toBe(5);
});

test('while the first post is queued, a sync post waits 2 s and answers 409, and an async one answers its submission', async () => {
  const queued = await acting.post(keyed('queued'), '?async=true');
  const startedAt = performance.now();
  expect(await acting.post(keyed('queued'))).toBeRefused(409, 1270);
  expect(performance.now() - startedAt).toBeGreaterThan(1900);
  const again = await acting.post(keyed('queued'), '?async=true');
  expect([again.status, again.body]).toEqual([202, queued.body]);
  expect((await acting.post(keyed('queued', { value: 6 }))).status).toBe(422);
  await acting.drain();
  const done = await acting.post(keyed('queued'));
  expect([done.status, replayed(done.headers), done.body.member.purses[0].balance]).toEqual([200, 'true', 5]);
  const late = await acting.post(keyed('queued'), '?async=true');
  expect([late.status, late.body.result]).toEqual([200, done.body.result]);
});

test('the wait for a post in flight ends when that is processed', async () => {
  await acting.post(keyed('in flight'), '?async=true');
  const waiting = acting.post(keyed('in flight'));
  await acting.drain();
  const { status, body } = await waiting;
  expect([status, body.result.data.status]).toEqual([200, 'Processed']);
  expect(await acting.balance(member._id)).toBe(5);
});

test('the wait is 2 s of real time, even when the clock of the service does not move', async () => {
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  await acting.post(keyed('clock'), '?async=true');
  expect((await acting.post(keyed('clock'))).status).toBe(409);
  await acting.drain();
});

test('a cancel with one key has one effect, and a cancel by query gives each target a key of its own', async () => {
  const first = await acting.processed('Accrual', member._id, { value: 5 });
  const second = await acting.processed('Accrual', member._id, { value: 7 });
  const key = { externalTxnId: `cancel-${new ObjectId()}` };
  const query = `?query=${encodeURIComponent(JSON.stringify({ memberID: member._id, type: 'Accrual' }))}`;
  const cancelled = await acting.cancel('query', key, query);
  expect(cancelled.body.map(({ result }: { result: { data: object } }) => result.data)).toEqual([
    expect.objectContaining({ status: 'Processed' }),
    expect.objectContaining({ status: 'Processed' }),
  ]);
  const again = await acting.cancel('query', key, query);
  expect(again.body.map(({ result }: { result: object }) => result)).toEqual(
    cancelled.body.map(({ result }: { result: object }) => result),
  );
  const kept = await world.server.as('client').get(`/activityhistories?externalTxnId=${key.externalTxnId}:${first}`);
  expect(kept.body).toEqual([expect.objectContaining({ originalTxnId: first, type: 'Cancellation' })]);
  expect((await acting.history(second)).status).toBe('Cancelled');
  expect(await acting.balance(member._id)).toBe(0);
});

test('an Idempotency-Key of a cancel by query gives each target a key of its own as well', async () => {
  const ids = [await acting.processed('Accrual', member._id, { value: 5 })];
  ids.push(await acting.processed('Accrual', member._id, { value: 7 }));
  const query = encodeURIComponent(JSON.stringify({ _id: { $in: ids } }));
  const send = () =>
    world.server.as('client').post(`/activity/query/cancel?query=${query}`, {}, { headers: byHeader('by query') });
  const first = await send();
  const second = await send();
  expect(first.body).toHaveLength(2);
  expect(first.body[1].result.errors).toEqual([]);
  expect(second.body[0].result).toEqual(first.body[0].result);
  expect(await acting.balance(member._id)).toBe(0);
});

test('none of these tests leaves a mismatch in the ledgers', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
