import { collectionOf } from '#base/db/collections';
import { sweepDue } from '#members/memberState/sweepDue';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import type { Member } from '#records/members/member';
import { type PursePolicy, pursePolicyResource } from '#records/programs/pursePolicy';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';
import { metricCommits } from './metricCommits';

const inactivity = { type: 'inactivity' as const, value: 10, unit: 'day' as const };
const award = (type: string, purse: string, fields: object = {}) => ({
  ...earnRule,
  key: `${type.toLowerCase()}-${purse.toLowerCase()}`,
  name: `Points of ${purse} for ${type}`,
  activityTypes: [type],
  actions: [{ ...earnRule.actions[0], purse, ...fields }],
});
const rules = [
  earnRule,
  redeemRule,
  award('Referral', 'Points', { expiry: inactivity }),
  award('Adjustment', 'Points', { expiry: { type: 'rolling', value: 3, unit: 'day' } }),
  award('Enrollment', 'Held'),
  {
    ...award('Enrollment', 'Points'),
    key: 'referred',
    actions: [{ type: 'completeReferral', purse: 'Points', points: 3, referrerPoints: 5 }],
  },
];

let world: World;
let acting: ActivityApi;
let member: Member;
let policy: PursePolicy;

beforeAll(async () => {
  const escrow = { type: 'duration' as const, value: 30, unit: 'day' as const };
  world = await openWorld({
    rules,
    policies: [{ expiry: inactivity }, { name: 'Held', expiry: inactivity, escrow }, { name: 'Lasting' }],
  });
  acting = activityApi(world);
  const [first] = world.policies;
  if (!first) throw new Error('the world has policies');
  policy = first;
});

beforeEach(async () => {
  on(0);
  member = await world.addMember();
});

afterEach(async () => {
  await setExpiry(inactivity);
  expect(await acting.mismatches()).toEqual([]);
});

afterAll(() => world.close());

/** Noon UTC, this number of days after 1 March 2026. */
const noon = (days: number) => new Date(Date.UTC(2026, 2, 1 + days, 12));
const on = (days: number) => world.services.clock.set(noon(days));
const sweep = () => sweepDue(world.services, { now: world.services.clock.now(), org: world.services.org._id });
const earn = (value: number, fields: object = {}) => acting.processed('Accrual', member._id, { value, ...fields });
const redeem = (value: number) => acting.post({ type: 'Redemption', memberID: member._id, value });
const stored = () => world.services.db.collection('members').findOne({ _id: member._id });
const storedPurse = async (name = 'Points') =>
  (await stored())?.purses.find((purse: { name: string }) => purse.name === name);
const kinds = async () => {
  const entries = await world.services.db.collection('journal').find({ member: member._id }).sort({ seq: 1 }).toArray();
  return entries.map(({ kind }) => kind);
};
async function setExpiry(expiry: NonNullable<PursePolicy['expiry']>): Promise<void> {
  const policies = collectionOf(world.services.db, pursePolicyResource);
  await policies.updateOne({ _id: policy._id }, { $set: { expiry } });
  await countDefinitionChange(world.services.db, world.services.org._id);
}

describe('the date of a purse', () => {
  test('is counted from an accrual and shown with its points, and lots have no date of their own', async () => {
    await earn(10);
    on(2);
    await earn(5);
    expect(await acting.purse(member._id)).toMatchObject({
      inactiveOn: noon(12).toISOString(),
      nextExpiry: { date: noon(12).toISOString(), points: 15 },
      expiresIn: 15,
    });
    expect((await stored())?.nextDue).toEqual(noon(12));
    for (const lot of await acting.lots(member._id)) expect(lot).not.toHaveProperty('dtExpiresOn');
  });

  test('is moved by a redemption for which no rule fired', async () => {
    await earn(10);
    await world.publish([earnRule]);
    on(4);
    await acting.processed('Redemption', member._id, { value: 3 });
    await world.publish(rules);
    expect(await storedPurse()).toMatchObject({ nextExpiry: { date: noon(14), points: 10 }, inactiveOn: noon(14) });
    expect((await stored())?.nextDue).toEqual(noon(14));
    expect(await kinds()).toEqual(['accrue']);
  });

  test('is counted from the date of the activity, and never becomes earlier', async () => {
    await earn(10);
    on(4);
    await earn(1, { date: noon(3).toISOString() });
    expect(await storedPurse()).toMatchObject({ inactiveOn: noon(13) });
    await earn(1, { date: noon(1).toISOString() });
    expect(await storedPurse()).toMatchObject({ inactiveOn: noon(13), nextExpiry: { date: noon(13), points: 12 } });
  });

  test('is not moved by other activities, nor by refused, cancelled or dry ones', async () => {
    await earn(10);
    on(4);
    await acting.processed('Referral', member._id, { value: 5 });
    expect(codes(await redeem(100))).toEqual([2100]);
    await acting.post({ type: 'Accrual', memberID: member._id, value: 9 }, '?persist=false');
    expect((await acting.cancel(await earn(7))).status).toBe(200);
    expect(await storedPurse()).toMatchObject({ inactiveOn: noon(10), nextExpiry: { date: noon(10), points: 15 } });
  });

  test('starts with the first points of any origin, and again with points that are added after it', async () => {
    await acting.processed('Referral', member._id, { value: 5 });
    expect(await storedPurse()).toMatchObject({ inactiveOn: noon(10) });
    on(20);
    await acting.processed('Referral', member._id, { value: 7 });
    expect(await storedPurse()).toMatchObject({ availBalance: 7, expiredPoints: 5, inactiveOn: noon(30) });
    expect(await kinds()).toEqual(['accrue', 'expire', 'accrue']);
  });

  test('starts for points in escrow when they are released', async () => {
    await acting.processed('Enrollment', member._id, { value: 5 });
    on(35);
    await sweep();
    const date = noon(40);
    expect(await storedPurse('Held')).toMatchObject({ availBalance: 5, inactiveOn: date, nextExpiry: { date } });
  });

  test('leaves lots their own dates, which count again when the policy gets another expiry', async () => {
    await earn(10);
    on(8);
    await acting.processed('Adjustment', member._id, { value: 5 });
    expect(await storedPurse()).toMatchObject({ nextExpiry: { date: noon(10), points: 10 } });
    await earn(1);
    expect(await storedPurse()).toMatchObject({ nextExpiry: { date: noon(11), points: 5 }, inactiveOn: noon(18) });
    on(11);
    await sweep();
    expect(await storedPurse()).toMatchObject({ availBalance: 11, nextExpiry: { date: noon(18), points: 11 } });
  });
});

describe('when the date is reached', () => {
  test('a sweep expires everything, never earlier, once, on the day of the date', async () => {
    await earn(10);
    await earn(10);
    world.services.clock.set(new Date(noon(10).getTime() - 1));
    await sweep();
    expect(await storedPurse()).toMatchObject({ availBalance: 20 });
    on(25);
    await Promise.all([sweep(), sweep()]);
    expect(await storedPurse()).toMatchObject({ balance: 0, availBalance: 0, expiredPoints: 20, expiresIn: 0 });
    expect(await storedPurse()).not.toHaveProperty('nextExpiry');
    expect(await stored()).not.toHaveProperty('nextDue');
    expect(await kinds()).toEqual(['accrue', 'accrue', 'expire', 'expire']);
    expect(await expiredMetrics()).toEqual([
      [10, noon(10).toISOString().slice(0, 10)],
      [10, noon(10).toISOString().slice(0, 10)],
    ]);
  });

  test('expired points are not saved by a redemption or an accrual before the timer', async () => {
    await earn(10);
    on(10);
    expect(codes(await redeem(1))).toEqual([2100]);
    expect(await storedPurse()).toMatchObject({ availBalance: 0, expiredPoints: 10, inactiveOn: noon(10) });
    await earn(4);
    expect(await storedPurse()).toMatchObject({ availBalance: 4, inactiveOn: noon(20) });
  });

  test.each(['purses', 'statement'])('a read of %s expires the points first', async (read) => {
    await earn(10);
    on(10);
    const { status } = await world.server.as('client').get(`/members/${member._id}/${read}`);
    expect(status).toBe(200);
    expect(await storedPurse()).toMatchObject({ availBalance: 0, expiredPoints: 10 });
  });

  test('points that a cancel restores expire at once, and count as expired', async () => {
    await earn(10);
    const { body } = await redeem(6);
    on(12);
    await sweep();
    expect((await acting.cancel(body.result.data.activityId)).status).toBe(200);
    expect(await storedPurse()).toMatchObject({ availBalance: 0, expiredPoints: 10, burnedPoints: 0 });
    expect((await kinds()).slice(-3)).toEqual(['expire', 'restore', 'expire']);
    expect((await expiredMetrics()).map(([points]) => points)).toEqual([4, 6]);
  });

  test('a purchase of long ago expires in its own commit, on the day that it would have', async () => {
    await earn(8, { date: noon(-40).toISOString() });
    expect(await storedPurse()).toMatchObject({ availBalance: 0, expiredPoints: 8 });
    expect(await expiredMetrics()).toEqual([[8, noon(-30).toISOString().slice(0, 10)]]);
  });

  test('purchases during the sweep keep their own points only', async () => {
    await earn(10);
    on(10);
    await Promise.all([sweep(), ...Array.from({ length: 6 }, () => earn(2)), sweep()]);
    expect(await storedPurse()).toMatchObject({ availBalance: 12, expiredPoints: 10, inactiveOn: noon(20) });
    expect((await kinds()).filter((kind) => kind === 'expire')).toHaveLength(1);
  });
});

describe('a policy that is edited', () => {
  test('to inactivity leaves existing lots as they were, with their dates or for ever', async () => {
    await setExpiry({ type: 'none' });
    await earn(1);
    await setExpiry({ type: 'rolling', value: 40, unit: 'day' });
    await earn(2);
    await setExpiry(inactivity);
    await earn(4);
    on(15);
    await sweep();
    expect(await storedPurse()).toMatchObject({ availBalance: 3, nextExpiry: { date: noon(40), points: 2 } });
    on(50);
    await sweep();
    expect(await storedPurse()).toMatchObject({ availBalance: 1, expiredPoints: 6 });
  });

  test('from inactivity leaves existing lots under it, and activity still keeps them', async () => {
    await earn(4);
    await setExpiry({ type: 'none' });
    on(8);
    await earn(1);
    expect(await storedPurse()).toMatchObject({ availBalance: 5, nextExpiry: { date: noon(18), points: 4 } });
    on(18);
    await sweep();
    expect(await storedPurse()).toMatchObject({ availBalance: 1, expiredPoints: 4 });
  });
});

test('a merge keeps the later date', async () => {
  const other = await world.addMember();
  await earn(10);
  on(3);
  await acting.processed('Accrual', other._id, { value: 5 });
  const { status } = await world.server
    .as('admin')
    .post(`/members/${member._id}/merge`, { memberIds: [other._id.toHexString()] });
  expect(status).toBe(200);
  expect(await storedPurse()).toMatchObject({ inactiveOn: noon(13), nextExpiry: { date: noon(13), points: 15 } });
});

describe('points that are transferred', () => {
  const transfer = {
    ...redeemRule,
    key: 'transfer',
    activityTypes: ['Adjustment'],
    actions: [
      { type: 'transferPoints', purse: 'Points', points: 4, toPurse: 'Lasting' },
      {
        type: 'transferPoints',
        purse: 'Points',
        points: 3,
        toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
      },
    ],
  };

  test('keep their date in a purse without inactivity, and follow the date of the purse in one with it', async () => {
    const other = await world.addMember();
    await world.publish([earnRule, transfer]);
    await earn(10);
    on(4);
    const sent = await acting.processed('Adjustment', member._id, { value: 1, ext: { to: other.loyaltyID } });
    expect(await storedPurse('Lasting')).toMatchObject({ nextExpiry: { date: noon(10), points: 4 } });
    expect(await acting.purse(other._id)).toMatchObject({
      inactiveOn: noon(14).toISOString(),
      nextExpiry: { date: noon(14).toISOString(), points: 3 },
    });
    expect((await acting.cancel(sent)).status).toBe(200);
    expect(await storedPurse()).toMatchObject({ nextExpiry: { date: noon(10), points: 10 } });
    await world.publish(rules);
  });
});

test('points added by hand expire with the others, unless a date is named', async () => {
  await earn(10);
  const ledgerAdmin = world.server.as('ledger-admin');
  const item = { member: member._id, purse: policy._id, accruedPoints: 5 };
  expect((await ledgerAdmin.post('/accrualitems', item)).status).toBe(201);
  const dated = await ledgerAdmin.post('/accrualitems', { ...item, dtExpiresOn: noon(60).toISOString() });
  expect(dated.body).not.toHaveProperty('expiresByInactivity');
  expect(await storedPurse()).toMatchObject({ nextExpiry: { date: noon(10), points: 15 } });
});

/** Expired points and the day to which they are counted. */
async function expiredMetrics(): Promise<[number, string][]> {
  const changes = (await metricCommits(world.services.db, member._id)).flat();
  return changes.flatMap(([metric, value, day]) => (metric === 'pointsExpired' ? [[value, day]] : []));
}

describe('an award dated ahead of the day its purse goes inactive', () => {
  const ahead = new Date(noon(10).getTime() + 3_600_000).toISOString();
  const anHourBefore = () => world.services.clock.set(new Date(noon(10).getTime() - 3_600_000));

  test.each(['', '?async=true'])(
    'is given, and expires with the others on that day (posted with "%s")',
    async (query) => {
      await earn(10);
      anHourBefore();
      const answer = await acting.post({ type: 'Referral', memberID: member._id, value: 7, date: ahead }, query);
      if (query === '') expect(answer.body.result.data.status).toBe('Processed');
      await acting.drain();
      expect(await acting.purse(member._id)).toMatchObject({
        balance: 17,
        inactiveOn: noon(10).toISOString(),
        nextExpiry: { date: noon(10).toISOString(), points: 17 },
      });
      on(10);
      await sweep();
      expect(await acting.purse(member._id)).toMatchObject({ balance: 0, expiredPoints: 17 });
    },
  );

  test('is given to a referrer too', async () => {
    await earn(10);
    anHourBefore();
    const referred = await world.addMember();
    const { referralCode } = member;
    await acting.processed('Enrollment', referred._id, { value: 0, date: ahead, referralCode });
    expect(await acting.purse(member._id)).toMatchObject({ balance: 15, inactiveOn: noon(10).toISOString() });
    expect(await acting.purse(referred._id)).toMatchObject({ balance: 3 });
  });

  test('starts a date where there is none', async () => {
    anHourBefore();
    await acting.processed('Referral', member._id, { value: 7, date: ahead });
    const inactiveOn = new Date(noon(20).getTime() + 3_600_000).toISOString();
    expect(await acting.purse(member._id)).toMatchObject({ balance: 7, inactiveOn });
  });
});

test('a released lot counts by its own terms, though its policy changed and its member was merged', async () => {
  const current = world.policies.find(({ name }) => name === 'Held');
  const setHeld = async (expiry: NonNullable<PursePolicy['expiry']>) => {
    const policies = collectionOf(world.services.db, pursePolicyResource);
    await policies.updateOne({ _id: current?._id ?? policy._id }, { $set: { expiry } });
    await countDefinitionChange(world.services.db, world.services.org._id);
  };
  await acting.processed('Enrollment', member._id, { value: 9 });
  await setHeld({ type: 'rolling', value: 5, unit: 'day' });
  try {
    const merged = member;
    member = await world.addMember();
    const { status } = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [merged._id] });
    expect(status).toBe(200);
    on(30);
    await sweep();
    expect(await acting.purse(member._id, 'Held')).toMatchObject({
      availBalance: 9,
      inactiveOn: noon(40).toISOString(),
      nextExpiry: { date: noon(40).toISOString(), points: 9 },
    });
    on(40);
    await sweep();
    expect(await acting.purse(member._id, 'Held')).toMatchObject({ balance: 0, expiredPoints: 9 });
  } finally {
    await setHeld(inactivity);
  }
});
