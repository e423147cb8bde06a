import { collectionOf } from '#base/db/collections';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { activityHistoryResource } from '#records/activities/activityHistory';
import type { Member } from '#records/members/member';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi } from './activityApi';

/** Adds the value as stamps that last 30 days, and answers the number of stamps. */
const rules = [
  {
    key: 'stamps',
    name: 'Stamps',
    activityTypes: ['Accrual'],
    priority: 10,
    actions: [
      {
        type: 'addMetric',
        metric: 'stamps',
        expires: { value: 30, unit: 'day' },
        value: { of: { fact: 'activity', path: '$.value' }, times: 1 },
      },
    ],
  },
  {
    key: 'told',
    name: 'As many points as stamps',
    activityTypes: ['Accrual'],
    actions: [
      {
        type: 'addPoints',
        purse: 'Points',
        points: { of: { fact: 'aggregate', params: { metric: 'stamps', period: 'lifetime' } }, times: 1 },
      },
    ],
  },
];

let world: World;
let acting: ActivityApi;
let member: Member;
beforeEach(async () => {
  world = await openWorld({ rules });
  acting = activityApi(world);
  world.services.clock.set('2026-01-01T12:00:00.000Z');
  member = await world.addMember();
});
afterEach(() => world.close());

const on = (day: string) => world.services.clock.set(`${day}T12:00:00.000Z`);
const earn = (value: number) => acting.processed('Accrual', member._id, { value });
/** The sums of stamps by their end, including those that were moved out of the member. */
async function stamps(): Promise<[string, number][]> {
  await rollUp(world.services, { now: world.services.clock.now() });
  const query = encodeURIComponent(JSON.stringify({ memberId: member._id, metricName: 'stamps' }));
  const { body } = await world.server.as('admin').get(`/lifetimeaggregates?query=${query}&sort=expirationDate`);
  return body.map((row: { expirationDate: string; metricAggValue: number }) => [
    row.expirationDate.slice(0, 10),
    row.metricAggValue,
  ]);
}
/** The number of stamps that rules see. */
async function stampsSeen(): Promise<number> {
  const { body } = await acting.post(
    { type: 'Accrual', memberID: member._id, value: 0 },
    '?persist=false&explain=true',
  );
  const [actual] = body.ruleMatch.filter(({ key }: { key: string }) => key === 'told');
  return actual.granted ?? 0;
}

test('a cancel after the end of an aggregate subtracts from that aggregate, and later earnings stay whole', async () => {
  const first = await earn(5);
  on('2026-02-15');
  expect(await stamps()).toEqual([['2026-01-31', 5]]);
  await acting.cancel(first, {});
  expect(await stamps()).toEqual([['2026-01-31', 0]]);
  await earn(4);
  expect(await stamps()).toEqual([
    ['2026-01-31', 0],
    ['2026-03-17', 4],
  ]);
  expect(await stampsSeen()).toBe(4);
});

test('a cancel after the end of an aggregate works before the timer has moved it', async () => {
  const first = await earn(5);
  on('2026-02-15');
  await earn(4);
  await acting.cancel(first, {});
  expect(await stamps()).toEqual([
    ['2026-01-31', 0],
    ['2026-03-17', 4],
  ]);
});

test('a value is taken back from the aggregate that it joined, also when the next one is open already', async () => {
  await earn(5);
  on('2026-01-20');
  const joined = await earn(2);
  on('2026-02-15');
  await earn(4);
  await stamps();
  await acting.cancel(joined, {});
  expect(await stamps()).toEqual([
    ['2026-01-31', 5],
    ['2026-03-17', 4],
  ]);
});

test('a cancel for a merged member subtracts where the merge moved the value', async () => {
  const other = await world.addMember();
  const theirs = await acting.processed('Accrual', other._id, { value: 3 });
  on('2026-01-20');
  await earn(5);
  await world.server.as('admin').post(`/members/${member._id}/merge`, { memberIds: [other._id] });
  await earn(1);
  on('2026-02-05');
  await stamps();
  await acting.cancel(theirs, {});
  expect(await stamps()).toEqual([
    ['2026-01-31', 1],
    ['2026-02-19', 5],
  ]);
});

describe('a cancel of an activity that was stored before ends were kept', () => {
  const asBefore = async () => {
    const histories = collectionOf(world.services.db, activityHistoryResource);
    const { modifiedCount } = await histories.updateMany({}, [{ $unset: 'effects.metrics.expirationDate' }]);
    expect(modifiedCount).toBe(1);
  };

  test('subtracts from the present aggregate, and nothing is left when that is moved away', async () => {
    const first = await earn(5);
    await asBefore();
    await acting.cancel(first, {});
    expect(await stampsSeen()).toBe(0);
    on('2026-02-15');
    await earn(4);
    expect(await stampsSeen()).toBe(4);
    expect(await stamps()).toEqual([
      ['2026-01-31', 0],
      ['2026-03-17', 4],
    ]);
  });

  test('leaves later earnings whole when its aggregate was moved away', async () => {
    const first = await earn(5);
    await asBefore();
    on('2026-02-15');
    await stamps();
    await acting.cancel(first, {});
    await earn(4);
    expect(await stampsSeen()).toBe(4);
    expect(await stamps()).toEqual([
      ['2026-01-31', 5],
      ['2026-02-15', -5],
      ['2026-03-17', 4],
    ]);
  });
});
