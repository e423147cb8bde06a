import { sweepDue } from '#members/memberState/sweepDue';
import type { Member } from '#records/members/member';
import { makeTierPolicy } from '../../support/definitions';
import { addWorld, earnRule, openWorld, type World } from '../../support/world';
import { type Occasions, occasionRule, occasionsIn } from './occasionWorld';

let host: World;
let world: World;
let acting: Occasions;
let member: Member;

beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

/** Opens a world with a ladder, Bronze at 100, Silver at 300, Gold at 1,000, and these rules. */
async function open(rules: Record<string, unknown>[], policy: object = {}, ladder: object = {}) {
  world = await addWorld(host, { rules: [], policies: [policy] });
  world.services.clock.set('2026-06-01T12:00:00.000Z');
  await makeTierPolicy(world.services.db, world.author, world.program, ladder);
  await world.publish(rules);
  acting = occasionsIn(world);
  member = await world.addMember();
}

const spend = (value: number, fields = {}) => acting.processed('Accrual', member._id, { value, ...fields });

describe('a level that is reached', () => {
  test('is an activity once, with its cause, that rules pay and explain', async () => {
    await open([occasionRule('TierReached', 500)]);
    const cause = await spend(120);
    expect(await acting.queued()).toBe(1);
    await acting.drain();
    await acting.drain();
    const [reached, ...others] = await acting.occasions(member._id);
    expect(others).toEqual([]);
    expect(reached).toMatchObject({
      type: 'TierReached',
      status: 'Processed',
      occasion: { policy: 'Status', level: 'Bronze', why: 'reached', depth: 1 },
    });
    expect(String(reached?.occasion?.cause)).toBe(cause);
    expect(await acting.balance(member._id)).toBe(500);
    const explained = await world.server.as('client').get(`/activityhistories/${reached?._id}/explain`);
    expect(explained.body.ruleMatch).toMatchObject([{ key: 'on-TierReached', fired: true }]);
    expect(await acting.mismatches()).toEqual([]);
  });

  test('tells the rule the new level and the earlier one', async () => {
    const of = (level: string) => ({
      key: `to-${level}`,
      conditions: { all: [{ fact: 'activity', path: '$.occasion.level', operator: 'equal', value: level }] },
    });
    await open([occasionRule('TierReached', 5, of('Bronze')), occasionRule('TierReached', 70, of('Gold'))]);
    await spend(100);
    world.services.clock.advance(1000);
    await spend(900);
    await acting.drain();
    const [, gold] = await acting.occasions(member._id);
    expect(gold?.occasion).toMatchObject({ from: 'Bronze', level: 'Gold' });
    expect(await acting.balance(member._id)).toBe(75);
  });

  test('writes nothing when no active rule is for it', async () => {
    await open([earnRule, occasionRule('TierReached', 500, { status: 'paused' })]);
    await spend(120);
    expect(await acting.queued()).toBe(0);
  });

  test('is given back with the cancellation that revokes it, whichever activity that cancels', async () => {
    await open([occasionRule('TierReached', 500), occasionRule('TierLost', 1)]);
    const first = await spend(90);
    await spend(20);
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(500);
    world.services.clock.advance(1000);
    await acting.cancel(first);
    await acting.drain();
    expect((await acting.occasions(member._id)).map(({ type, status }) => `${type} ${status}`)).toEqual([
      'TierReached Cancelled',
      'TierLost Processed',
    ]);
    expect(await acting.balance(member._id)).toBe(1);
    expect(await acting.mismatches()).toEqual([]);
  });

  test.each([
    ['whole', {}],
    ['in part', { value: 450 }],
  ])('by a late activity is given back when the activity is cancelled %s', async (_part, part) => {
    const basis = { metric: 'spend', period: 'year' };
    const expiry = { value: 1, unit: 'year', snap: 'endOfYear' };
    await open([occasionRule('TierReached', 500)], {}, { basis, expiry, lateClaims: 'counted' });
    const late = await spend(500, { date: '2025-11-10T12:00:00.000Z' });
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(500);
    world.services.clock.advance(1000);
    await acting.cancel(late, part);
    await acting.drain();
    expect((await acting.occasions(member._id)).map(({ status }) => status)).toEqual(['Cancelled']);
    expect(await acting.balance(member._id)).toBe(0);
    expect(await acting.mismatches()).toEqual([]);
  });

  test('stays when the level stays', async () => {
    await open([occasionRule('TierReached', 500)]);
    const first = await spend(120);
    await spend(150);
    await acting.cancel(first);
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(500);
  });

  test('stays when a rule has given the level for some days', async () => {
    const grant = {
      key: 'match',
      name: 'Match',
      activityTypes: ['Adjustment'],
      actions: [{ type: 'setTier', policy: 'Status', level: 'Bronze', for: { value: 30, unit: 'day' } }],
    };
    await open([occasionRule('TierReached', 500), occasionRule('TierLost', 1), grant]);
    const first = await spend(120);
    await acting.drain();
    world.services.clock.advance(1000);
    await acting.processed('Adjustment', member._id, { value: 0 });
    await acting.cancel(first);
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(500);
  });

  test('of a member who was merged or erased in the meantime goes to the survivor or ends', async () => {
    await open([occasionRule('TierReached', 500)]);
    const survivor = await world.addMember();
    const erased = await world.addMember();
    await spend(120);
    await acting.processed('Accrual', erased._id, { value: 120 });
    const admin = world.server.as('admin');
    const merged = await admin.post(`/members/${survivor._id}/merge`, { memberIds: [member._id] });
    const gone = await admin.send('DELETE', `/members/${erased._id}`);
    expect([merged.status, gone.status]).toEqual([200, 204]);
    await acting.drain();
    expect((await acting.occasions(survivor._id)).map(({ status }) => status)).toEqual(['Processed']);
    expect(await acting.balance(survivor._id)).toBe(500);
    expect(await acting.occasions(erased._id)).toEqual([]);
    expect(await acting.queued()).toBe(0);
  });

  test('of a cancelled cause that was not processed yet ends without effect', async () => {
    await open([occasionRule('TierReached', 500)]);
    await acting.cancel(await spend(120));
    await acting.drain();
    expect((await acting.occasions(member._id)).map(({ status }) => status)).toEqual(['Cancelled']);
    expect(await acting.balance(member._id)).toBe(0);
  });
});

test('expired points make one activity for each purse and instant, with their number and day', async () => {
  await open([earnRule, occasionRule('PointsExpired', 3)], { expiry: { type: 'rolling', value: 10, unit: 'day' } });
  await spend(40);
  await spend(2);
  world.services.clock.advance(15 * 86_400_000);
  const sweep = () => sweepDue(world.services, { now: world.services.clock.now(), org: world.services.org._id });
  await Promise.all([sweep(), sweep()]);
  await sweep();
  await acting.drain();
  const found = await acting.occasions(member._id);
  expect(found.map(({ occasion }) => occasion)).toMatchObject([
    { purse: 'Points', points: 42, on: '2026-06-11', depth: 1 },
  ]);
  expect(found[0]?.date).toEqual(new Date('2026-06-11T12:00:00.000Z'));
});

test('a new member is an activity, also when the member is made over HTTP', async () => {
  await open([occasionRule('MemberEnrolled', 25)]);
  const { body } = await world.server.as('client').post('/members', { program: world.program._id });
  await acting.drain();
  expect(await acting.balance(member._id)).toBe(25);
  const purses = await world.server.as('client').get(`/members/${body._id}/purses`);
  expect(purses.body[0].balance).toBe(25);
});

describe('a reward that is issued', () => {
  const issuing = {
    key: 'issue',
    name: 'Issue',
    activityTypes: ['Accrual'],
    actions: [{ type: 'issueReward', reward: 'DRINK' }],
  };

  const openWithReward = async () => {
    await open([]);
    const reward = { program: world.program._id, code: 'DRINK', name: 'A drink' };
    const made = await world.server.as('admin').post('/rewards', reward);
    expect([made.status, made.body]).toMatchObject([201, { code: 'DRINK' }]);
    await world.publish([issuing, occasionRule('RewardIssued', 7)]);
  };

  test('is an activity with its code, and is given back when it is withdrawn', async () => {
    await openWithReward();
    const id = await spend(10);
    await acting.drain();
    const [issued] = await acting.occasions(member._id);
    expect(issued?.occasion).toMatchObject({ reward: 'DRINK', code: expect.any(String), depth: 1 });
    expect(await acting.balance(member._id)).toBe(7);
    await acting.cancel(id);
    await acting.drain();
    expect(await acting.balance(member._id)).toBe(0);
  });
});

test('a completed referral is an activity of both members, and is given back when it is Pending again', async () => {
  const complete = {
    key: 'complete',
    name: 'Complete',
    activityTypes: ['Accrual'],
    actions: [{ type: 'completeReferral', purse: 'Points', points: 0, referrerPoints: 0 }],
  };
  await open([complete, occasionRule('ReferralCompleted', 11)]);
  const friend = await world.addMember({ referredBy: member._id });
  const id = await acting.processed('Accrual', friend._id, { value: 1 });
  await acting.drain();
  const roles = [...(await acting.occasions(member._id)), ...(await acting.occasions(friend._id))];
  expect(roles.map(({ occasion }) => [occasion?.role, String(occasion?.other)])).toEqual([
    ['referrer', String(friend._id)],
    ['referred', String(member._id)],
  ]);
  expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([11, 11]);
  await acting.cancel(id);
  await acting.drain();
  expect([await acting.balance(member._id), await acting.balance(friend._id)]).toEqual([0, 0]);
});

test('occasions that cause each other end after three, with a history that says why', async () => {
  await open(
    [
      occasionRule('PointsExpired', 10, {
        actions: [
          { type: 'addPoints', purse: 'Points', points: 10, expiry: { type: 'rolling', value: 1, unit: 'hour' } },
        ],
      }),
      earnRule,
    ],
    { expiry: { type: 'rolling', value: 1, unit: 'hour' } },
  );
  await spend(5);
  world.services.clock.advance(2 * 3_600_000);
  for (let round = 0; round < 6; round += 1) {
    await sweepDue(world.services, { now: world.services.clock.now(), org: world.services.org._id });
    await acting.drain();
    world.services.clock.advance(2 * 3_600_000);
  }
  const found = await acting.occasions(member._id);
  expect(found.map(({ status, occasion }) => `${occasion?.depth} ${status}`)).toEqual([
    '1 Processed',
    '2 Processed',
    '3 Processed',
    '4 Error',
  ]);
  expect(found.at(-1)?.result.errors).toMatchObject([
    { code: 2600, message: expect.stringContaining('cause each other') },
  ]);
});

describe('a client', () => {
  test('cannot post an occasion, define its type or use its key', async () => {
    await open([occasionRule('TierReached', 1)]);
    const posted = await acting.post({ type: 'TierReached', memberID: member._id, value: 1 });
    expect(posted.status).toBe(422);
    expect(posted.body.errors).toMatchObject([
      { path: 'type', kind: 'enum', message: expect.stringContaining('only the service itself posts TierReached') },
    ]);
    const input = await acting.post({ type: 'Accrual', memberID: member._id, value: 1, occasion: { level: 'Gold' } });
    expect(input.body.errors).toMatchObject([{ path: 'occasion', kind: 'readOnly' }]);
    const defined = await world.server.as('admin').post('/enums', { type: 'ActivityType', value: 'Birthday' });
    expect([defined.status, defined.body.errors[0].path]).toEqual([422, 'value']);
    const keyed = await acting.post({ type: 'Accrual', memberID: member._id, value: 1, externalTxnId: 'occasion:1' });
    expect(keyed.body.errors).toMatchObject([{ path: 'externalTxnId', kind: 'pattern' }]);
    const headed = await acting.post({ type: 'Accrual', memberID: member._id }, '', {
      'idempotency-key': 'occasion:1',
    });
    expect(headed).toBeRefused(400, 1210);
    // A cancel of several makes the key of each from the one that is sent, a colon and an id.
    const query = encodeURIComponent(JSON.stringify({ memberID: member._id }));
    const client = world.server.as('client');
    const shared = await client.post(`/activity/query/cancel?query=${query}`, { externalTxnId: 'occasion' });
    expect([shared.status, shared.body.errors]).toMatchObject([422, [{ path: 'externalTxnId', kind: 'pattern' }]]);
    const headers = { 'idempotency-key': 'occasion' };
    expect((await client.post(`/activity/query/cancel?query=${query}`, {}, { headers })).status).toBe(400);
  });
});
