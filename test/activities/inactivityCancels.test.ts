import fc from 'fast-check';
import { collectionOf } from '#base/db/collections';
import { sweepDue } from '#members/memberState/sweepDue';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import type { Member } from '#records/members/member';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { scaled, seedsOf } from '../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';
import { metricCommits } from './metricCommits';

const period = 10;
const inactivity = { type: 'inactivity' as const, value: period, unit: 'day' as const };
const bonus = (type: string, more: object = {}) => ({
  ...earnRule,
  key: type,
  name: type,
  activityTypes: [type],
  ...more,
});
const rules = [
  earnRule,
  redeemRule,
  bonus('Referral'),
  {
    ...bonus('Accrual', { key: 'kept' }),
    conditions: { all: [{ fact: 'activity', path: '$.ext.kept', operator: 'equal', value: true }] },
    actions: [{ type: 'addPoints', purse: 'Kept', points: 7 }],
  },
  {
    ...bonus('Redemption', { key: 'moveKept' }),
    conditions: { all: [{ fact: 'activity', path: '$.ext.kept', operator: 'equal', value: true }] },
    actions: [
      {
        type: 'transferPoints',
        purse: 'Kept',
        points: 3,
        toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
      },
    ],
  },
  {
    ...bonus('Enrollment'),
    actions: [{ type: 'completeReferral', purse: 'Points', points: 3, referrerPoints: 5 }],
  },
  {
    ...bonus('Adjustment'),
    actions: [
      {
        type: 'transferPoints',
        purse: 'Points',
        points: 3,
        toMember: { loyaltyID: { fact: 'activity', path: '$.ext.to' } },
      },
    ],
  },
];

let world: World;
let acting: ActivityApi;
let member: Member;
let friend: Member;

beforeAll(async () => {
  world = await openWorld({
    rules,
    policies: [{ expiry: inactivity }, { name: 'Kept', expiry: inactivity, clawback: 'pendingOnly' }],
  });
  acting = activityApi(world);
});
beforeEach(async () => {
  on(0);
  [member, friend] = [await world.addMember(), await world.addMember()];
});
afterAll(() => world.close());

const noon = (days: number) => new Date(Date.UTC(2026, 2, 1 + days, 12));
let today = 0;
function on(days: number) {
  today = days;
  world.services.clock.set(noon(days));
}
const sweep = () => sweepDue(world.services, { now: world.services.clock.now(), org: world.services.org._id });
const purse = async (who = member, name = 'Points') => {
  const stored = await world.services.db.collection('members').findOne({ _id: who._id });
  return stored?.purses.find((each: { name: string }) => each.name === name);
};
/** The day of `inactiveOn`, counted from the first; undefined when there is none. */
const inactiveOn = async (who = member, name = 'Points') => {
  const { inactiveOn: date } = await purse(who, name);
  return date && (date.getTime() - noon(0).getTime()) / 86_400_000;
};

/** Posts on a day, for `member` unless `who` is given. Returns the id. */
async function post(day: number, type: string, fields: { who?: Member; dated?: number; [name: string]: unknown } = {}) {
  on(day);
  const { who = member, dated = day, ...more } = fields;
  return acting.processed(type, who._id, { value: 10, date: noon(dated).toISOString(), ...more });
}
async function cancel(day: number, id: string, part: object = {}) {
  on(day);
  const { body } = await acting.cancel(id, part);
  expect(body.result.errors).toEqual([]);
}
async function setPeriod(value: number) {
  const [policy] = world.policies;
  const policies = collectionOf(world.services.db, pursePolicyResource);
  await policies.updateOne({ _id: policy?._id as never }, { $set: { expiry: { ...inactivity, value } } });
  await countDefinitionChange(world.services.db, world.services.org._id);
}

describe('a cancel moves the date back to', () => {
  test('the latest effective purchase or redemption, and to none without one', async () => {
    const ids = [await post(0, 'Accrual'), await post(2, 'Redemption', { value: 4 }), await post(5, 'Accrual')];
    expect(await inactiveOn()).toBe(15);
    await cancel(5, ids[2] ?? '');
    expect(await inactiveOn()).toBe(12);
    await cancel(6, ids[0] ?? '');
    expect(await inactiveOn()).toBe(12);
    await cancel(7, ids[1] ?? '');
    expect(await purse()).not.toHaveProperty('inactiveOn');
  });

  test('the latest of the other dates, not to that of the last post', async () => {
    await post(8, 'Accrual', { dated: 3 });
    const late = await post(8, 'Accrual', { dated: 7 });
    await post(8, 'Accrual', { dated: 5 });
    expect(await inactiveOn()).toBe(17);
    await cancel(9, late);
    expect(await inactiveOn()).toBe(15);
    expect((await purse()).nextExpiry).toEqual({ date: noon(15), points: 20 });
  });

  test('no earlier date while a part is effective, and not at all when it is refused', async () => {
    await post(0, 'Accrual');
    const id = await post(4, 'Accrual');
    await cancel(4, id, { value: 9 });
    expect(await inactiveOn()).toBe(14);
    await acting.cancel(id, {}, `?validate=${encodeURIComponent('{"value":1}')}`);
    await acting.cancel(id, {}, '?persist=false');
    expect(await inactiveOn()).toBe(14);
    await cancel(4, id, { value: 1 });
    expect(await inactiveOn()).toBe(10);
  });

  test('the date of an activity of a merged member', async () => {
    const id = await post(4, 'Accrual');
    await post(2, 'Accrual', { who: friend });
    on(5);
    const { status } = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [friend._id] });
    expect(status).toBe(200);
    await cancel(5, id);
    expect(await inactiveOn()).toBe(12);
  });
});

describe('points that joined the balance otherwise', () => {
  test('keep the date that they gave, also when a purchase of an earlier date is posted later', async () => {
    await post(5, 'Referral');
    await post(6, 'Accrual', { dated: 3 });
    const id = await post(7, 'Accrual');
    expect(await inactiveOn()).toBe(17);
    await cancel(7, id);
    expect(await inactiveOn()).toBe(15);
  });

  test('give the date of the first of them when only the cancelled purchase had given one', async () => {
    const id = await post(0, 'Accrual');
    await post(4, 'Referral');
    await post(6, 'Referral');
    expect(await inactiveOn()).toBe(10);
    await cancel(6, id);
    expect(await inactiveOn()).toBe(14);
  });

  test('leave the date of another effective purchase', async () => {
    await post(0, 'Accrual');
    await post(5, 'Referral');
    const id = await post(8, 'Accrual');
    await cancel(9, id);
    expect(await inactiveOn()).toBe(10);
  });

  test('give a new date when the other purchase was too long ago', async () => {
    await post(0, 'Accrual');
    const id = await post(8, 'Accrual');
    await post(12, 'Referral');
    await cancel(13, id);
    expect(await inactiveOn()).toBe(22);
    expect(await purse()).toMatchObject({ availBalance: 20, expiredPoints: 0 });
  });

  test('give no date when they are cancelled themselves', async () => {
    const first = await post(0, 'Referral');
    const second = await post(3, 'Referral');
    await cancel(3, first);
    expect(await inactiveOn()).toBe(13);
    await cancel(4, second);
    expect(await inactiveOn()).toBeUndefined();
  });

  test('give their date again when the redemption that spent them is cancelled', async () => {
    await post(0, 'Referral');
    const id = await post(4, 'Redemption');
    await cancel(5, id);
    expect(await purse()).toMatchObject({ inactiveOn: noon(10), nextExpiry: { date: noon(10), points: 10 } });
  });

  test('of a referral are taken from the referrer with their date', async () => {
    on(2);
    const { referralCode } = friend;
    const id = await acting.processed('Enrollment', member._id, { value: 0, referralCode });
    expect([await inactiveOn(), await inactiveOn(friend)]).toEqual([12, 12]);
    await cancel(3, id);
    expect([await inactiveOn(), await inactiveOn(friend)]).toEqual([undefined, undefined]);
  });

  test('count from the transfer that moved them, not from when they were earned', async () => {
    await post(0, 'Accrual');
    const bought = await post(5, 'Accrual', { who: friend });
    await post(9, 'Adjustment', { ext: { to: friend.loyaltyID } });
    expect(await inactiveOn(friend)).toBe(15);
    await cancel(9, bought);
    expect(await inactiveOn(friend)).toBe(19);
  });

  test('of a transfer go back with their date, also where a cancel leaves points of purchases', async () => {
    await post(0, 'Accrual', { ext: { kept: true } });
    const id = await post(2, 'Redemption', { ext: { kept: true, to: friend.loyaltyID } });
    expect(await inactiveOn(friend, 'Kept')).toBe(12);
    await cancel(3, id);
    expect(await inactiveOn(friend, 'Kept')).toBeUndefined();
    expect(await purse(friend, 'Kept')).toMatchObject({ balance: 0 });
  });

  test('keep the date of their purchase when they were released from escrow', async () => {
    const id = await post(3, 'Accrual', { ext: { kept: true } });
    await cancel(4, id);
    expect(await inactiveOn()).toBeUndefined();
    expect(await purse(member, 'Kept')).toMatchObject({
      inactiveOn: noon(13),
      nextExpiry: { date: noon(13), points: 7 },
    });
  });
});

describe('when the effective date is past,', () => {
  test('the points expire in the commit of the cancel, on their day', async () => {
    await post(0, 'Accrual');
    const id = await post(8, 'Accrual');
    on(12);
    await sweep();
    await cancel(12, id);
    expect(await purse()).toMatchObject({ balance: 0, expiredPoints: 10, inactiveOn: noon(10), expiresIn: 0 });
    const metrics = (await metricCommits(world.services.db, member._id)).flat();
    expect(metrics.filter(([metric]) => metric === 'pointsExpired')).toEqual([
      ['pointsExpired', 10, noon(10).toISOString().slice(0, 10)],
    ]);
  });

  test('points that a cancelled redemption restores expire too', async () => {
    await post(0, 'Accrual');
    const id = await post(8, 'Redemption', { value: 6 });
    await cancel(12, id);
    expect(await purse()).toMatchObject({ balance: 0, expiredPoints: 10, burnedPoints: 0, inactiveOn: noon(10) });
  });

  test('points that had expired stay expired, and the next purchase counts again', async () => {
    await post(0, 'Accrual');
    const id = await post(5, 'Accrual');
    on(15);
    await sweep();
    await cancel(16, id);
    expect(await purse()).toMatchObject({ balance: 0, debt: 0, expiredPoints: 20, inactiveOn: noon(10) });
    await post(17, 'Accrual');
    expect(await purse()).toMatchObject({ balance: 10, inactiveOn: noon(27) });
  });

  test('the timer that is due at once with the cancel makes no difference', async () => {
    await post(0, 'Accrual');
    const id = await post(1, 'Accrual');
    on(11);
    await Promise.all([sweep(), acting.cancel(id), sweep()]);
    expect(await purse()).toMatchObject({ balance: 0, inactiveOn: noon(10) });
  });
});

test.each([3, 30])(
  'a policy with a new period of %i days counts earlier activities by their own period',
  async (value) => {
    await post(0, 'Accrual');
    try {
      await setPeriod(value);
      const id = await post(8, 'Accrual');
      expect(await inactiveOn()).toBe(8 + value);
      await cancel(8, id);
      expect(await inactiveOn()).toBe(10);
    } finally {
      await setPeriod(period);
    }
  },
);

test('activities of histories without their dates are counted by the present period', async () => {
  await post(0, 'Accrual');
  const id = await post(4, 'Accrual');
  const histories = world.services.db.collection('activityhistories');
  await histories.updateMany({ memberID: member._id }, { $unset: { 'effects.inactiveOn': '' } });
  await cancel(4, id);
  expect(await inactiveOn()).toBe(10);
});

test('an activity that moves no date changes the version of its member, so that a cancel at once reads it again', async () => {
  await post(6, 'Accrual');
  const version = async () => (await world.services.db.collection('members').findOne({ _id: member._id }))?.version;
  const before = await version();
  await post(6, 'Redemption', { value: 0, dated: 2 });
  expect([await version(), await inactiveOn()]).toEqual([before + 1, 16]);
});

test('purchases and the cancels after them in one batch leave the date of the latest effective one', async () => {
  const ids = [];
  for (const day of [1, 5, 6]) ids.push(await post(6, 'Accrual', { dated: day }));
  const later = (type: string, dated: number) =>
    acting.post({ type, memberID: member._id, value: 0, date: noon(dated).toISOString() }, '?async=true');
  await later('Accrual', 3);
  await later('Redemption', 4);
  for (const id of ids.slice(1)) await acting.cancel(id, {}, '?async=true');
  await acting.drain();
  expect(await inactiveOn()).toBe(14);
});

test('cancels and purchases of one member at once leave the date of the latest effective one', async () => {
  const ids = [];
  for (const day of [1, 2, 3, 4, 5, 6]) ids.push(await post(6, 'Accrual', { dated: day }));
  const [kept, ...others] = ids;
  await Promise.all([
    // These move no date when they are posted, but stand when the others are cancelled.
    ...[2, 3].map((dated) => post(6, 'Accrual', { dated })),
    post(6, 'Redemption', { value: 0, dated: 4 }),
    ...others.map((id, index) => acting.cancel(id, {}, index % 2 ? '?async=true' : '')),
  ]);
  await acting.drain();
  expect(await inactiveOn()).toBe(14);
  expect((await acting.history(kept ?? '')).status).toBe('Processed');
});

/** An activity on a later day, dated some days ago; or the cancel of an earlier one. */
const step = fc.record({
  wait: fc.constantFrom(0, 0, 1, 2, 5),
  ago: fc.nat(6),
  type: fc.constantFrom('Accrual', 'Redemption', 'cancel', 'cancel'),
  which: fc.nat(20),
  query: fc.constantFrom('', '?async=true'),
});

const sure = 'whatever is posted and cancelled, in any order: the last standing activity date and the period';
test.each(seedsOf(47))(`${sure} (seed %i)`, async (seed) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      on(0);
      member = await world.addMember();
      let standing: { id: string; day: number }[] = [];
      for (const { wait, ago, type, which, query } of steps) {
        on(today + wait);
        const picked = standing[which % Math.max(1, standing.length)];
        if (type !== 'cancel') {
          const id = await post(today, type, { dated: today - ago, value: type === 'Accrual' ? 10 : 0 });
          standing.push({ id, day: today - ago });
        } else if (picked) {
          await acting.cancel(picked.id, {}, query);
          await acting.drain();
          standing = standing.filter(({ id }) => id !== picked.id);
        }
        const expected = standing.length === 0 ? undefined : Math.max(...standing.map(({ day }) => day)) + period;
        expect(await inactiveOn()).toBe(expected);
      }
    }),
    { seed, numRuns: scaled(3, seed) },
  );
});

test('the ledgers agree after all of these tests', async () => {
  expect(await acting.mismatches()).toEqual([]);
});
