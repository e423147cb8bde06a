import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { drawn } from '../support/scale';
import { addWorld, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

/** Days of the program, in New York: the local date of an instant. */
const dates = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
const local = (at: Date) => dates.format(at);
const dayNumber = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000;

interface Past {
  at: Date;
  value: number;
}
type Oracle = (past: readonly Past[], at: Date) => number;

const sumIf = (past: readonly Past[], counts: (each: Past) => boolean) =>
  past.filter(counts).reduce((sum, { value }) => sum + value, 0);
const lastDays =
  (days: number): Oracle =>
  (past, at) =>
    sumIf(past, (each) => {
      const ago = dayNumber(local(at)) - dayNumber(local(each.at));
      return ago >= 0 && ago < days;
    });
const lastHours =
  (hours: number): Oracle =>
  (past, at) =>
    sumIf(past, (each) => each.at <= at && at.getTime() - each.at.getTime() < hours * 3_600_000);
/** The whole year between two anniversaries of 14 May. */
const ownYear: Oracle = (past, at) => {
  const yearOf = (date: Date) => Number(local(date).slice(0, 4)) - (local(date).slice(5) < '05-14' ? 1 : 0);
  return sumIf(past, (each) => yearOf(each.at) === yearOf(at));
};

const enrolledAt = new Date('2024-05-14T20:00:00.000Z');

/** Windows by the key of their rule, each with a brute-force sum over all past activities. */
const windows: Record<string, { period: unknown; oracle: Oracle }> = {
  days: { period: { last: 7, unit: 'day' }, oracle: lastDays(7) },
  today: { period: { last: 1, unit: 'day' }, oracle: lastDays(1) },
  weeks: { period: { last: 3, unit: 'week' }, oracle: lastDays(21) },
  months: {
    period: { last: 2, unit: 'month' },
    oracle: (past, at) => {
      const [year = 0, month = 1, day = 1] = local(at).split('-').map(Number);
      const [toYear, toMonth] = month > 2 ? [year, month - 2] : [year - 1, month + 10];
      const lastOf = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
      const start = Date.UTC(toYear, toMonth - 1, Math.min(day, lastOf)) / 86_400_000;
      return sumIf(past, (each) => {
        const on = dayNumber(local(each.at));
        return on > start && on <= dayNumber(local(at));
      });
    },
  },
  hours: { period: { last: 36, unit: 'hour' }, oracle: lastHours(36) },
  year: { period: { year: 'enrolment' }, oracle: ownYear },
  tierYear: { period: { year: { tier: 'Status' } }, oracle: ownYear },
  dates: {
    period: { from: '2026-02-20', to: '2026-04-10' },
    oracle: (past) => sumIf(past, ({ at }) => local(at) >= '2026-02-20' && local(at) <= '2026-04-10'),
  },
  threeYears: {
    period: { from: '2024-05-01', to: '2026-03-15' },
    oracle: (past) => sumIf(past, ({ at }) => local(at) >= '2024-05-01' && local(at) <= '2026-03-15'),
  },
  always: { period: { from: '0001-01-01', to: '9999-12-31' }, oracle: (past) => sumIf(past, () => true) },
};

const echo = (key: string, period: unknown) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  actions: [
    {
      type: 'addPoints',
      purse: 'Points',
      points: { of: { fact: 'aggregate', params: { metric: 'spend', period } }, times: 1 },
    },
  ],
});

let host: World;
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());

const open = async (rules: Record<string, unknown>[]) => {
  world = await addWorld(host, { rules: [], program: { timezone: 'America/New_York' } });
  const { server, program } = world;
  const levels = [{ name: 'Base', number: 1, threshold: 0 }];
  const policy = { program: program._id, name: 'Status', levels, basis: { metric: 'visits', period: 'lifetime' } };
  const made = await server.as('admin').post('/tierpolicies', policy);
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  await world.publish(rules);
  acting = activityApi(world);
};

/** Posts an accrual and answers what each rule granted. */
const granted = async (memberID: unknown, at: Date, value: number) => {
  const { body } = await acting.post({ type: 'Accrual', memberID, value, date: at.toISOString() }, '?explain=true');
  if (body.result?.data.status !== 'Processed') throw new Error(JSON.stringify(body));
  const byKey = body.ruleMatch.map(({ key, granted: points = 0 }: Record<string, unknown>) => [key, points]);
  return { id: body.result.data.activityId as string, points: Object.fromEntries(byKey) as Record<string, number> };
};

/** A sequence of pseudo-random numbers below 1. */
const randomOf = (seed: number) => {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

test.each(drawn([1, 2]))('every window is the sum of all past activities within it (seed %d)', async (seed) => {
  await open(Object.entries(windows).map(([key, { period }]) => echo(key, period)));
  world.services.clock.set('2026-05-20T12:00:00.000Z');
  // The level is reached at the enrolment, so both own years begin on that day.
  const member = await world.addMember({ enrolledAt });
  const other = await world.addMember({ enrolledAt });
  await world.services.db
    .collection('members')
    .updateMany({ _id: { $in: [member._id, other._id] } }, { $set: { 'tiers.0.since': enrolledAt } });
  const random = randomOf(seed);
  const past: (Past & { id: string })[] = [];
  const spans = [0.5, 40, 200, 900];
  for (let n = 0; n < 60; n += 1) {
    if (n === 20) {
      const merge = await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [other._id] });
      expect(merge.status).toBe(200);
    }
    const back = random() * (spans[Math.floor(random() * spans.length)] ?? 0) * 86_400_000;
    const at = new Date(world.services.clock.now().getTime() - Math.floor(back));
    const value = 1 + Math.floor(random() * 100);
    const isOther = n < 20 && n % 3 === 0;
    const { id, points } = await granted(isOther ? other._id : member._id, at, value);
    past.push({ at, value, id });
    if (n >= 20) {
      const expected = Object.entries(windows).map(([key, { oracle }]) => [key, oracle(past, at)]);
      expect([n, points]).toEqual([n, Object.fromEntries(expected)]);
    }
    if (random() < 0.3) await rollUp(world.services, { now: world.services.clock.now() });
    if (n % 7 === 0) {
      const target = past[Math.floor(random() * past.length)];
      if (target && target.value > 1) {
        const part = Math.floor(target.value / 2);
        expect((await acting.cancel(target.id, { value: part })).status).toBe(200);
        target.value -= part;
      }
    }
  }
  expect(await acting.mismatches()).toEqual([]);
});

const free = (key: string, params: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  key,
  name: key,
  activityTypes: ['Accrual'],
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: { fact: 'crossed', params }, times: 1 } }],
  ...more,
});

describe('a milestone', () => {
  const milestones = [
    free('every', { metric: 'spend', period: 'lifetime', every: 250 }),
    free('month', { metric: 'spend', period: 'month', at: [500, 1000] }),
    free('nights', { metric: 'visits', period: { last: 30, unit: 'day' }, every: 2 }),
  ];

  test('is crossed once, at both edges, and again only after the sum fell', async () => {
    await open(milestones);
    world.services.clock.set('2026-05-20T12:00:00.000Z');
    const member = await world.addMember();
    const post = async (value: number) => granted(member._id, world.services.clock.now(), value);
    const seen: unknown[] = [];
    const last = [];
    for (const value of [249, 1, 249, 1, 500, 0]) {
      const { id, points } = await post(value);
      last.push(id);
      seen.push([points.every, points.month, points.nights]);
    }
    expect(seen).toEqual([
      [0, 0, 0],
      [1, 0, 1],
      [0, 0, 0],
      [1, 1, 1],
      [2, 1, 0],
      [0, 0, 1],
    ]);
    expect(await acting.balance(member._id)).toBe(9);

    // The purchase of 500 goes back with what it crossed; the next one crosses the same milestones.
    await acting.cancel(last[4] ?? '');
    expect(await acting.balance(member._id)).toBe(6);
    expect((await post(499)).points).toMatchObject({ every: 1, month: 0 });
    expect((await post(1)).points).toMatchObject({ every: 1, month: 1 });
  });

  test('is crossed exactly once by activities that come at once', async () => {
    await open(milestones);
    const member = await world.addMember();
    const one = { type: 'Accrual', memberID: member._id, value: 90 };
    await world.server.as('client').post(
      '/activities/bulk?async=true',
      Array.from({ length: 20 }, () => one),
    );
    await Promise.all([acting.drain(), ...Array.from({ length: 20 }, () => acting.post(one))]);

    // 40 purchases of 90: 14 multiples of 250, both thresholds of the month, every second visit.
    expect(await acting.balance(member._id)).toBe(14 + 2 + 20);
  });

  test('sees what rules of higher priority added, and is taken back when a return undoes the crossing', async () => {
    const stamps = {
      key: 'stamps',
      name: 'Stamps',
      activityTypes: ['Accrual'],
      priority: 5,
      actions: [{ type: 'addMetric', metric: 'stamps', value: 7 }],
    };
    const card = free('card', { metric: 'stamps', period: 'lifetime', every: 10 });
    const early = free('early', { metric: 'stamps', period: 'lifetime', every: 10 }, { priority: 9 });
    await open([stamps, card, early, free('spent', { metric: 'spend', period: 'lifetime', every: 100 })]);
    const member = await world.addMember();
    const post = async (value: number) => granted(member._id, world.services.clock.now(), value);

    expect((await post(60)).points).toMatchObject({ early: 0, card: 0, spent: 0 });
    const second = await post(360);
    expect(second.points).toMatchObject({ early: 0, card: 1, spent: 4 });

    // 420 fall to 240: of the four hundreds that the purchase crossed, two are left.
    const line = { value: 180 };
    expect((await acting.cancel(second.id, line)).status).toBe(200);
    expect((await acting.mismatches()).length).toBe(0);
    const third = await post(60);
    expect(third.points.spent).toBe(1);
  });
});
