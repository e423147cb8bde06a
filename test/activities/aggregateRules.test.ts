import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { addWorld, earnRule, openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

/** Answers the sum of the month in `data`, and awards points once it has reached 1,000. */
const monthRule = {
  key: 'month',
  name: 'A bonus for each purchase from 1,000 in the month on',
  activityTypes: ['Accrual'],
  conditions: {
    all: [
      {
        fact: 'aggregate',
        params: { metric: 'spend', period: 'month' },
        operator: 'greaterThanInclusive',
        value: 1000,
      },
    ],
  },
  actions: [{ type: 'addPoints', purse: 'Bonus', points: 1 }],
};
/** Awards as many points as the value of the metric. */
const echo = (key: string, metric: string, period: string, priority = 1) => ({
  key,
  name: key,
  activityTypes: ['Accrual', 'Redemption'],
  priority,
  actions: [
    { type: 'addPoints', purse: key, points: { of: { fact: 'aggregate', params: { metric, period } }, times: 1 } },
  ],
});

let host: World;
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  host = await openWorld({ rules: [] });
});
afterAll(() => host.close());
const open = async (rules: Record<string, unknown>[], purses: string[] = []) => {
  world = await addWorld(host, { rules, policies: ['Points', 'Bonus', ...purses].map((name) => ({ name })) });
  acting = activityApi(world);
};

const bonus = async (id: string) =>
  (await acting.history(id)).ruleMatch.some(
    ({ key, fired }: { key: string; fired: boolean }) => key === 'month' && fired,
  );

test('a rule on the spend of a month fires exactly from the purchase on that reaches it, whatever is rolled up', async () => {
  await open([earnRule, monthRule]);
  const { services } = world;
  const member = await world.addMember();
  let isDone = false;
  const rolling = (async () => {
    while (!isDone) await rollUp(services, { now: services.clock.now() });
  })();

  const fired: boolean[] = [];
  for (let count = 1; count <= 24; count += 1) {
    fired.push(await bonus(await acting.processed('Accrual', member._id, { value: 90 })));
  }
  isDone = true;
  await rolling;

  expect(fired).toEqual(fired.map((_, index) => (index + 1) * 90 >= 1000));
});

test('each activity of a batch sees the earlier ones of its member', async () => {
  await open([earnRule, monthRule]);
  const member = await world.addMember();
  const one = { type: 'Accrual', memberID: member._id, value: 100 };

  await world.server.as('client').post(
    '/activities/bulk?async=true',
    Array.from({ length: 15 }, () => one),
  );
  await Promise.all([acting.drain(), ...Array.from({ length: 15 }, () => acting.post(one))]);

  expect(await acting.balance(member._id, 'Bonus')).toBe(21);
});

test('an aggregate covers the period of the activity and includes what rules of higher priority did', async () => {
  const metrics = ['visits', 'pointsEarned:Points', 'stamps'];
  const purses = ['day', 'week', 'month', 'quarter', 'halfYear', 'year', 'lifetime'].map(
    (unit) => [unit, unit] as const,
  );
  const stamp = {
    key: 'stamp',
    name: 'Stamp',
    activityTypes: ['Accrual'],
    priority: 10,
    actions: [{ type: 'addMetric', metric: 'stamps', value: 3 }],
  };
  const rules = metrics.flatMap((metric, index) => purses.map(([unit]) => echo(`${unit}${index}`, metric, unit)));
  await open(
    [earnRule, stamp, ...rules],
    rules.map(({ key }) => key),
  );
  const member = await world.addMember();
  const dates = ['2026-11-21', '2026-11-16', '2026-11-01', '2026-10-01', '2026-07-01', '2026-01-01', '2025-12-31'];
  for (const date of dates.slice(1))
    await acting.processed('Accrual', member._id, { value: 10, date: `${date}T10:00:00.000Z` });
  await rollUp(world.services, { now: world.services.clock.now() });

  const { body } = await acting.post({
    type: 'Accrual',
    memberID: member._id,
    value: 7,
    date: `${dates[0]}T10:00:00.000Z`,
  });

  const granted = Object.fromEntries(
    body.result.log
      .filter(({ action }: { action: string }) => action === 'addPoints')
      .map(({ results }: { results: { name: string; accruals: { accruedPoints: number }[] } }) => [
        results.name,
        results.accruals.at(-1)?.accruedPoints,
      ]),
  );
  const times = [1, 2, 3, 4, 5, 6, 7];
  const of = (index: number, values: number[]) =>
    Object.fromEntries(purses.map(([unit], place) => [`${unit}${index}`, values[place]]));
  expect(granted).toMatchObject({
    ...of(0, times),
    ...of(
      1,
      times.map((count) => 7 + 10 * (count - 1)),
    ),
    ...of(
      2,
      times.map((count) => 3 * count),
    ),
  });
});

test('a cancelled purchase does not count any more, and a redemption adds no spend', async () => {
  await open([earnRule, echo('spent', 'spend', 'year')], ['spent']);
  const member = await world.addMember();
  const first = await acting.processed('Accrual', member._id, { value: 400 });
  await acting.cancel(first);
  await acting.processed('Accrual', member._id, { value: 30 });
  await acting.processed('Redemption', member._id, { value: 5 });

  const items = await world.server
    .as('client')
    .get(`/accrualitems?member=${member._id}&purseName=spent&sort=dtEarned,_id`);
  expect(items.body.map(({ accruedPoints }: { accruedPoints: number }) => accruedPoints)).toEqual([400, 30, 30]);
});
