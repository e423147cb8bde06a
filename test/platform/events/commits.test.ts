import type { ObjectId } from 'bson';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';
import { type Following, followEvents, type ReadEvent } from './following';

const refuseRule = {
  key: 'refuse',
  name: 'Nothing from the web',
  status: 'active',
  activityTypes: ['Accrual'],
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' }] },
  actions: [{ type: 'reject', message: 'Not from the web' }],
};

let world: World;
let acting: ActivityApi;
let following: Following;
beforeAll(async () => {
  world = await openWorld({
    rules: [earnRule, redeemRule, refuseRule],
    policies: [{}, { name: 'Held', escrow: { type: 'duration', value: 1, unit: 'day' } }],
  });
  acting = activityApi(world);
  following = await followEvents(world);
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const reported = async () => (await following.more()).map(({ type, data }) => [type, data.points ?? data.kind ?? null]);
const dataOf = (events: ReadEvent[], type: string) =>
  events.filter((each) => each.type === type).map(({ data }) => data);
const newMember = async (fields: Record<string, unknown> = {}) => {
  const member = await world.addMember(fields);
  await following.more();
  return member;
};
const earn = (memberID: ObjectId, value: number, fields = {}) =>
  acting.processed('Accrual', memberID, { value, ...fields });

describe('activities', () => {
  test('make for an accrual an event of the activity and one of its points', async () => {
    const { _id } = await newMember();
    const activity = await earn(_id, 10, { externalTxnId: 'one' });
    const [processed, earned, ...others] = await following.more();
    const owner = { program: world.program._id.toHexString(), member: _id.toHexString() };
    expect(processed).toMatchObject({ type: 'activity.processed', ...owner });
    expect(processed?.data).toEqual({
      activity,
      activityType: 'Accrual',
      value: 10,
      externalTxnId: 'one',
      rules: ['earn'],
      date: expect.any(String),
    });
    const [lot] = await acting.lots(_id);
    expect(earned).toMatchObject({ type: 'points.earned', ...owner });
    expect(earned?.data).toEqual({
      purse: 'Points',
      purseId: world.policies[0]?._id.toHexString(),
      points: 10,
      kind: 'accrue',
      seq: 1,
      entries: 1,
      accrualItem: lot._id,
      activity,
      rule: 'earn',
      balanceAfter: 10,
      availAfter: 10,
    });
    expect(others).toEqual([]);
  });

  test('make one event for a redemption of several accrual items', async () => {
    const { _id } = await newMember();
    for (const value of [4, 5, 6]) await earn(_id, value);
    await following.more();
    await acting.processed('Redemption', _id, { value: 12 });
    const redeemed = dataOf(await following.more(), 'points.redeemed');
    expect(redeemed).toMatchObject([{ points: -12, entries: 3, seq: 6, balanceAfter: 3, rule: 'redeem' }]);
    expect(redeemed[0]).not.toHaveProperty('accrualItem');
  });

  test('say the error of a failing activity by its code only', async () => {
    const { _id } = await newMember();
    const { body } = await acting.post({ type: 'Accrual', memberID: _id, value: 3, srcChannelType: 'Web' });
    const { activityId: activity } = body.result.data;
    const [failed, ...others] = await following.more();
    expect(failed).toMatchObject({ type: 'activity.failed', data: { activity, activityType: 'Accrual', value: 3 } });
    expect(failed?.data.errors).toEqual([{ code: body.result.errors[0].code, rule: 'refuse' }]);
    expect(others).toEqual([]);
  });

  test('make an event for a refused queued activity, although it has no history', async () => {
    const unknown = world.program._id;
    const { status, body } = await acting.post({ type: 'Accrual', memberID: unknown, value: 1 }, '?async=true');
    expect(status).toBe(202);
    await acting.drain();
    const [failed, ...others] = await following.more();
    expect(failed).toMatchObject({ type: 'activity.failed', member: null, program: null });
    expect(failed?.data).toMatchObject({ activity: body.submission, externalTxnId: body.externalTxnId, value: 1 });
    expect(failed?.data.errors).toEqual([{ code: 1500 }]);
    expect(others).toEqual([]);
  });

  test('make an event for the cancellation of a part and then of the rest', async () => {
    const { _id } = await newMember();
    const activity = await earn(_id, 10);
    await following.more();
    const part = await acting.cancel(activity, { value: 4 });
    const rest = await acting.cancel(activity);
    const events = await following.more();
    expect(events.map(({ type }) => type)).toEqual([
      'activity.processed',
      'activity.cancelled',
      'points.reversed',
      'activity.processed',
      'activity.cancelled',
      'points.reversed',
    ]);
    expect(dataOf(events, 'activity.cancelled')).toEqual([
      { activity, cancellation: part.body.result.data.activityId, isWhole: false, value: 4 },
      { activity, cancellation: rest.body.result.data.activityId, isWhole: true, value: 6 },
    ]);
    expect(dataOf(events, 'points.reversed').map(({ points }) => points)).toEqual([-4, -6]);
    expect(dataOf(events, 'activity.processed').map(({ cancels }) => cancels)).toEqual([activity, activity]);
  });

  test('make no event for a dry run, a repeated request or a refused one', async () => {
    const { _id } = await newMember();
    const body = { type: 'Accrual', memberID: _id, value: 5, externalTxnId: 'again' };
    await acting.post(body);
    await following.more();
    await acting.post(body);
    await acting.post({ ...body, externalTxnId: 'dry' }, '?persist=false');
    await acting.post({ ...body, memberID: world.program._id, externalTxnId: 'unknown' });
    expect(await reported()).toEqual([]);
  });
});

describe('members', () => {
  test('make events when they are created, changed, merged and erased, without personal data', async () => {
    const person = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org', phone: '+44 20 7946 0001' };
    const { body: member } = await admin().post('/members', { program: world.program._id, ...person });
    const { body: other } = await admin().post('/members', { program: world.program._id, loyaltyID: 'ADAS-CARD' });
    await admin().put(`/members/${member._id}`, { firstName: 'Augusta', status: 'Suspended' });
    await admin().put(`/members/${member._id}`, { firstName: 'Augusta', status: 'Active' });
    await admin().put(`/members/${member._id}`, { firstName: 'Augusta' });
    await admin().post(`/members/${member._id}/merge`, { memberIds: [other._id] });
    await admin().delete(`/members/${member._id}`);
    const events = await following.more();
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ['member.created', { status: 'Active', enrolledAt: member.enrolledAt }],
      ['member.created', { status: 'Active', enrolledAt: other.enrolledAt }],
      ['member.updated', { fields: ['firstName', 'status'], status: 'Suspended' }],
      ['member.updated', { fields: ['status'], status: 'Active' }],
      ['member.merged', { merged: [other._id] }],
      ['member.erased', { merged: [other._id] }],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Ada|Augusta|Lovelace|example|7946|ADAS/);
  });

  test('make no event of earned points for points that a merge moves', async () => {
    const [survivor, merged] = [await newMember(), await newMember()];
    await earn(merged._id, 7);
    await following.more();
    await admin().post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
    const events = await following.more();
    expect(dataOf(events, 'points.earned')).toEqual([]);
    const moved = events.filter(({ type }) => type === 'points.adjusted');
    expect(moved.map(({ member, data }) => [member, data.kind, data.points])).toEqual([
      [survivor._id.toHexString(), 'transferIn', 7],
      [merged._id.toHexString(), 'transferOut', -7],
    ]);
  });

  test('make events when their account is created, changed, left or removed', async () => {
    const [one, two, three] = [await newMember(), await newMember(), await newMember()];
    const entry = ({ _id, program }: typeof one) => ({ member: _id, program });
    const { body } = await admin().post('/accounts', { members: [entry(one), entry(two)] });
    await admin().put(`/accounts/${body._id}`, { members: [entry(one), entry(two), entry(three)] });
    const unlink = (member: typeof one) =>
      admin().post(`/accounts/unlink?query=${encodeURIComponent(JSON.stringify({ 'members.member': member._id }))}`);
    await unlink(two);
    await unlink(one);
    const events = (await following.more()).map(({ type, member, program, data }) => [type, member, program, data]);
    const ids = (...members: (typeof one)[]) => members.map(({ _id }) => _id.toHexString());
    const account = body._id;
    expect(events).toEqual([
      ['account.changed', null, null, { account, change: 'created', members: ids(one, two) }],
      ['account.changed', null, null, { account, change: 'updated', members: ids(one, two, three) }],
      ['account.changed', null, null, { account, change: 'updated', members: ids(one, three) }],
      ['account.changed', null, null, { account, change: 'removed', members: ids(one, three) }],
    ]);
  });
});

test('rules that come into force are an event', async () => {
  await world.publish([earnRule, redeemRule, { ...refuseRule, name: 'Nothing from there' }]);
  const [published] = await following.more();
  const { body } = await admin().get('/rulesets/current');
  expect(published).toMatchObject({ type: 'ruleset.published', member: null, program: null });
  expect(published?.data).toEqual({ version: body.version, rules: 3 });
});
