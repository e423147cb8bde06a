import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { runJob } from '#operations/jobs/runJob';
import { type Member, memberResource } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { makePolicy, makeProgram } from '../../support/definitions';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

const limitedRule = {
  ...earnRule,
  key: 'web',
  name: 'At most 100 from the web',
  conditions: { all: [{ fact: 'activity', path: '$.srcChannelType', operator: 'equal', value: 'Web' }] },
  actions: [{ type: 'addPoints', purse: 'Bonus', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } }],
  limits: [{ what: 'points', per: 'member', period: 'lifetime', max: 100, onExceed: 'reduce' }],
};

let world: World;
let acting: ActivityApi;
let survivor: Member;
let merged: Member;
beforeAll(async () => {
  world = await openWorld({
    rules: [earnRule, redeemRule, limitedRule],
    policies: [
      { overdraftLimit: 1000 },
      { name: 'Bonus' },
      { name: 'Held', escrow: { type: 'duration', value: 1, unit: 'day' } },
    ],
  });
  acting = activityApi(world);
});
beforeEach(async () => {
  // Removes follow-ups that the merges of other tests left.
  await world.services.db.collection('memberfollowups').deleteMany({});
  survivor = await world.addMember();
  merged = await world.addMember();
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');
const merge = (into: { _id: ObjectId }, ...from: { _id: ObjectId }[]) =>
  admin().post(`/members/${into._id}/merge`, { memberIds: from.map(({ _id }) => _id) });
const followUp = () => runJob(world.services, 'members', world.services.org._id);
const rollUp = () => runJob(world.services, 'aggregates', world.services.org._id);
const earn = (member: { _id: ObjectId }, value: number, fields = {}) =>
  acting.processed('Accrual', member._id, { value, ...fields });
const burn = (member: { _id: ObjectId }, value: number) => acting.processed('Redemption', member._id, { value });
const spendOf = async (period: string, member: { _id: ObjectId }) => {
  const query = encodeURIComponent(JSON.stringify({ memberId: member._id, metricName: 'spend' }));
  return (await admin().get(`/${period}aggregates?query=${query}`)).body;
};

describe('the survivor has at once', () => {
  test('the lots, the purses and the journal of both', async () => {
    await earn(survivor, 10);
    await earn(merged, 30);
    await burn(merged, 12);
    const { status, body, headers } = await merge(survivor, merged);
    expect([status, body._id, body.mergeIds]).toEqual([200, survivor._id.toHexString(), [merged._id.toHexString()]]);
    expect(headers.get('etag')).toBe(`"v${body.version}"`);
    expect(await acting.purse(survivor._id)).toMatchObject({
      balance: 28,
      availBalance: 28,
      accruedPoints: 40,
      burnedPoints: 12,
    });
    const lots = await acting.lots(survivor._id);
    expect(lots.map((lot: { availablePoints: number }) => lot.availablePoints).sort()).toEqual([10, 18]);
    const statement = await admin().get(`/members/${survivor._id}/statement`);
    expect(statement.body.map(({ kind, points }: Record<string, unknown>) => [kind, points])).toEqual([
      ['accrue', 10],
      ['accrue', 30],
      ['burn', -12],
      ['transferIn', 18],
      ['transferOut', -18],
    ]);
  });

  test('the debt, which its points repay, and the other way round', async () => {
    await earn(survivor, 10);
    await burn(merged, 25);
    await merge(survivor, merged);
    expect(await acting.purse(survivor._id)).toMatchObject({ availBalance: -15, debt: 15 });
    const third = await world.addMember();
    await earn(third, 40);
    await merge(survivor, third);
    expect(await acting.purse(survivor._id)).toMatchObject({ availBalance: 25, debt: 0 });
  });

  test('points in escrow, with their date', async () => {
    const current = {
      ...earnRule,
      key: 'held',
      name: 'Held',
      actions: [{ type: 'addPoints', purse: 'Held', points: 7 }],
    };
    await world.publish([earnRule, redeemRule, limitedRule, current]);
    await earn(merged, 1);
    await world.publish([earnRule, redeemRule, limitedRule]);
    await merge(survivor, merged);
    const purse = await acting.purse(survivor._id, 'Held');
    expect(purse).toMatchObject({ balance: 7, availBalance: 0, escrowsIn: 7, nextEscrow: { points: 7 } });
  });

  test('the use of limits of both, so that neither is exceeded and a cancel gives back', async () => {
    await earn(survivor, 40, { srcChannelType: 'Web' });
    const before = await earn(merged, 50, { srcChannelType: 'Web' });
    await merge(survivor, merged);
    await earn(survivor, 30, { srcChannelType: 'Web' });
    expect(await acting.balance(survivor._id, 'Bonus')).toBe(100);
    await acting.cancel(before);
    await earn(survivor, 70, { srcChannelType: 'Web' });
    expect(await acting.balance(survivor._id, 'Bonus')).toBe(100);
  });

  test('the metrics of both, as rules see them, before and after the job', async () => {
    const award = (purse: string, period: string) => ({
      type: 'addPoints',
      purse,
      points: { of: { fact: 'aggregate', params: { metric: 'spend', period } }, times: 1 },
    });
    const actual = {
      key: 'told',
      name: 'Told',
      status: 'active',
      activityTypes: ['Review'],
      conditions: { all: [] },
      actions: [award('Points', 'day'), award('Bonus', 'year')],
    };
    await admin().post('/enums', { type: 'ActivityType', value: 'Review' });
    await world.publish([earnRule, redeemRule, limitedRule, actual]);
    await earn(survivor, 5);
    await earn(merged, 20);
    await rollUp();
    await earn(merged, 3);
    await merge(survivor, merged);
    const review = async () => {
      await acting.processed('Review', survivor._id);
      return [await acting.purse(survivor._id), await acting.purse(survivor._id, 'Bonus')].map(
        ({ balance }) => balance,
      );
    };
    expect(await review()).toEqual([28 + 28, 28]);
    await followUp();
    expect(await review()).toEqual([28 + 2 * 28, 2 * 28]);
    await world.publish([earnRule, redeemRule, limitedRule]);
  });

  test('the loyalty ids of all and their referrals', async () => {
    const members = collectionOf(world.services.db, memberResource);
    const referrals = [{ code: 'R', status: 'Pending' as const, referred: new ObjectId() }];
    await members.updateOne({ _id: merged._id }, { $set: { referrals } });
    const { body } = await merge(survivor, merged);
    expect(body.loyaltyIDs).toEqual([survivor.loyaltyID, merged.loyaltyID]);
    expect(body.referrals).toMatchObject([{ code: 'R' }]);
    const posted = await acting.post({ type: 'Accrual', loyaltyID: merged.loyaltyID, value: 5 });
    expect(posted.body.member._id).toBe(survivor._id.toHexString());
  });

  test('the members of one request, which are twenty at most', async () => {
    const many = await Promise.all(Array.from({ length: 20 }, () => world.addMember()));
    for (const member of many) await earn(member, 1);
    const { body } = await merge(survivor, ...many);
    expect([body.mergeIds.length, await acting.balance(survivor._id)]).toEqual([20, 20]);
  });
});

describe('accounts', () => {
  const account = (...members: Member[]) =>
    admin().post('/accounts', { members: members.map(({ _id, program }) => ({ member: _id, program })) });
  const accountOf = async (member: Member) => (await admin().get(`/accounts/member/${member._id}`)).body;
  const ids = (body: { members: { member: string }[] }) => body.members.map(({ member }) => member);

  test('keep the survivor in the place of the merged member, also as the active one', async () => {
    const other = await world.addMember();
    await account(merged, other);
    await merge(survivor, merged);
    const after = await accountOf(survivor);
    expect([ids(after), after.activeMember]).toEqual([
      [survivor._id.toHexString(), other._id.toHexString()],
      survivor._id.toHexString(),
    ]);
  });

  test('of both members alone keep the survivor as the active one', async () => {
    const { body } = await account(merged, survivor);
    await merge(survivor, merged);
    const after = await accountOf(survivor);
    expect([after._id, ids(after), after.activeMember]).toEqual([
      body._id,
      [survivor._id.toHexString()],
      survivor._id.toHexString(),
    ]);
    expect(after.version).toBe(body.version + 1);
  });

  test('of both members and others keep the survivor, active if one of both was', async () => {
    const [other, another] = [await world.addMember(), await world.addMember()];
    await account(other, merged, survivor, another);
    const { body } = await admin().get(`/accounts/member/${merged._id}`);
    await merge(survivor, another);
    expect((await accountOf(survivor)).activeMember).toBe(other._id.toHexString());
    await admin().put(`/accounts/${body._id}`, { activeMember: merged._id });
    await merge(survivor, merged);
    const after = await accountOf(survivor);
    expect([ids(after), after.activeMember]).toEqual([
      [other._id.toHexString(), survivor._id.toHexString()],
      survivor._id.toHexString(),
    ]);
  });

  test('of two merged members go to a survivor without an account', async () => {
    const another = await world.addMember();
    const { body } = await account(merged, another);
    await merge(survivor, merged, another);
    const after = await accountOf(survivor);
    expect([after._id, ids(after)]).toEqual([body._id, [survivor._id.toHexString()]]);
  });

  test('stay with the survivor when both members had one', async () => {
    const [other, another, third] = [await world.addMember(), await world.addMember(), await world.addMember()];
    await account(survivor, other);
    await account(merged, another, third);
    await merge(survivor, merged);
    expect(ids(await accountOf(survivor))).toEqual([survivor._id.toHexString(), other._id.toHexString()]);
    expect(ids(await accountOf(third))).toEqual([another._id.toHexString(), third._id.toHexString()]);
  });
});

describe('the job after a merge', () => {
  test('moves histories, spent items and aggregates, rolled up or not', async () => {
    await earn(survivor, 5);
    const first = await earn(merged, 20);
    await burn(merged, 20);
    await rollUp();
    await earn(merged, 4);
    await merge(survivor, merged);
    const { counts, error } = await followUp();
    expect([error, counts]).toMatchObject([null, { histories: 3, items: 1 }]);
    await rollUp();
    expect((await acting.history(first)).memberID).toBe(survivor._id.toHexString());
    // The list by the merged id answers for the survivor, so the records themselves are asked.
    expect(await world.services.db.collection('accrualitems').countDocuments({ member: merged._id })).toBe(0);
    expect((await acting.lots(survivor._id)).length).toBe(3);
    for (const period of ['daily', 'weekly', 'monthly', 'quarterly', 'halfyear', 'year']) {
      const found = await spendOf(period, survivor);
      expect([period, found.length, found[0].metricAggValue]).toEqual([period, 1, 29]);
      expect(found[0].mergeIds).toEqual([merged._id.toHexString()]);
      // Asked by the merged id, the answer is that of the survivor.
      expect(await spendOf(period, merged)).toEqual(found);
    }
    expect((await spendOf('lifetime', survivor))[0]).toMatchObject({
      metricAggValue: 29,
      mergeIds: [merged._id.toHexString()],
    });
    expect((await followUp()).counts).toEqual({ histories: 0, items: 0, rewards: 0, members: 0, aggregates: 0 });
  });

  test('looks for late records for a while, then no more', async () => {
    await merge(survivor, merged);
    await followUp();
    const followUps = world.services.db.collection('memberfollowups');
    expect(await followUps.countDocuments({ _id: merged._id })).toBe(1);
    world.services.clock.advance(61_000);
    await followUp();
    expect(await followUps.countDocuments({})).toBe(0);
  });

  test('does everything once when several run at once', async () => {
    for (const value of [1, 2, 3, 4]) await earn(merged, value, { date: `2026-0${value}-01T00:00:00.000Z` });
    await rollUp();
    await merge(survivor, merged);
    const runs = await Promise.all([followUp(), followUp(), followUp()]);
    expect(runs.map(({ error }) => error)).toEqual([null, null, null]);
    expect((await spendOf('year', survivor))[0].metricAggValue).toBe(10);
    expect(runs.reduce((sum, { counts }) => sum + (counts.histories ?? 0), 0)).toBe(4);
  });
});

describe('an activity of the merged member', () => {
  test.each([
    ['before the job', false],
    ['after the job', true],
  ])('can be cancelled %s', async (_name, isFollowed) => {
    const first = await earn(merged, 20);
    const redemption = await burn(merged, 20);
    await merge(survivor, merged);
    if (isFollowed) await followUp();
    expect((await acting.cancel(redemption)).body.result.data.status).toBe('Processed');
    expect(await acting.balance(survivor._id)).toBe(20);
    const cancelled = await acting.cancel(first, {}, `?memberId=${survivor._id}`);
    expect(cancelled.body.result.data.status).toBe('Processed');
    expect(await acting.purse(survivor._id)).toMatchObject({ balance: 0, debt: 0, burnedPoints: 0 });
    await followUp();
    await rollUp();
    expect((await spendOf('daily', survivor))[0].metricAggValue).toBe(0);
  });

  test('is restored to the lots that repaid its debt', async () => {
    const overdrawn = await burn(merged, 30);
    await earn(merged, 30);
    await merge(survivor, merged);
    await acting.cancel(overdrawn);
    expect(await acting.purse(survivor._id)).toMatchObject({ balance: 30, debt: 0, burnedPoints: 0 });
  });

  test('counts among the earlier activities of the survivor', async () => {
    await earn(merged, 1);
    const { body } = await merge(survivor, merged);
    const stored = await collectionOf(world.services.db, memberResource).findOne({ _id: survivor._id });
    expect([stored?.processedAccruals, body.version]).toEqual([1, stored?.version]);
  });

  test('is processed for the survivor when it waited in the inbox', async () => {
    const accepted = await acting.post(
      { type: 'Accrual', memberID: merged._id, value: 6, externalTxnId: 'waits' },
      '?async=true',
    );
    await merge(survivor, merged);
    await acting.drain();
    expect(accepted.status).toBe(202);
    expect((await admin().get('/activity/status/waits')).body.status).toBe('Processed');
    expect(await acting.balance(survivor._id)).toBe(6);
  });
});

test('a survivor may be merged further, before and after the job', async () => {
  const [last, late] = [await world.addMember(), await world.addMember()];
  const spent = await earn(merged, 8);
  const redemption = await burn(merged, 8);
  await earn(late, 3);
  await merge(survivor, merged);
  await merge(last, survivor, late);
  await followUp();
  expect((await acting.history(spent)).memberID).toBe(last._id.toHexString());
  await acting.cancel(redemption);
  expect(await acting.balance(last._id)).toBe(11);
  expect((await admin().get(`/members/${last._id}`)).body.mergeIds).toEqual(
    [merged, survivor, late].map(({ _id }) => _id.toHexString()),
  );
});

describe('a merge is refused and changes nothing', () => {
  const refusals: [string, () => Promise<unknown> | unknown, string, string][] = [
    ['the survivor itself', () => [survivor._id], 'reference', 'memberIds.0'],
    ['an unknown member', () => [merged._id, new ObjectId()], 'reference', 'memberIds.1'],
    ['a member named twice', () => [merged._id, merged._id], 'unique', 'memberIds.1'],
    ['nobody', () => [], 'minItems', 'memberIds'],
    ['more than twenty', () => Array.from({ length: 21 }, () => new ObjectId()), 'maxItems', 'memberIds'],
    ['what is no id', () => ['x'], 'pattern', 'memberIds.0'],
    [
      'a member merged before',
      async () => (await merge(await world.addMember(), merged)) && [merged._id],
      'reference',
      'memberIds.0',
    ],
    [
      'an erased member',
      async () => (await admin().delete(`/members/${merged._id}`)) && [merged._id],
      'reference',
      'memberIds.0',
    ],
    ['a member of another program', async () => [await strangerId()], 'reference', 'memberIds.0'],
  ];

  async function strangerId(): Promise<ObjectId> {
    const program = await makeProgram(world.services.db, world.author);
    await makePolicy(world.services.db, world.author, program);
    const { body } = await admin().post('/members', { program: program._id });
    return body._id;
  }

  test.each(refusals)('with %s', async (_name, ids, kind, path) => {
    await earn(survivor, 3);
    const memberIds = await ids();
    const before = (await admin().get(`/members/${survivor._id}`)).body;
    const { status, body } = await admin().post(`/members/${survivor._id}/merge`, { memberIds });
    expect([status, body.errors.map((fault: Record<string, string>) => [fault.kind, fault.path])]).toEqual([
      422,
      [[kind, path]],
    ]);
    expect((await admin().get(`/members/${survivor._id}`)).body).toEqual(before);
  });

  test('with an unknown survivor', async () => {
    expect((await merge({ _id: new ObjectId() }, merged)).status).toBe(404);
  });

  test.each(['client', 'reader', 'program-manager'] as const)('by a %s', async (role) => {
    const { status } = await world.server.as(role).post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
    expect(status).toBe(403);
  });
});

test('the route answers without the prefix too', async () => {
  const path = `/members/${survivor._id}/merge`;
  const { status } = await admin().send('POST', path, { body: { memberIds: [merged._id] } });
  expect(status).toBe(200);
});

test('undone debt returns after a merge to the lot that repaid last, whichever journal records it', async () => {
  const { clock } = world.services;
  const at = (minutes: number) => clock.set(new Date(Date.UTC(2026, 4, 1, 12, minutes)));
  at(0);
  // The journal of the survivor is longer, but its repayment came first.
  for (let n = 0; n < 5; n += 1) await earn(survivor, 1);
  await burn(survivor, 5);
  const overdraft = await burn(survivor, 20);
  at(1);
  await earn(survivor, 20);
  at(2);
  await burn(merged, 20);
  await earn(merged, 20);
  at(3);
  await merge(survivor, merged);
  await acting.cancel(overdraft);
  const lots = await acting.lots(survivor._id);
  const ofTwenty = lots.filter(({ accruedPoints }: { accruedPoints: number }) => accruedPoints === 20);
  const restored = ofTwenty.filter(({ availablePoints }: { availablePoints: number }) => availablePoints === 20);
  expect(restored.map(({ dtEarned }: { dtEarned: string }) => dtEarned)).toEqual(['2026-05-01T12:02:00.000Z']);
  expect(await acting.purse(survivor._id)).toMatchObject({ balance: 20, debt: 0 });
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
