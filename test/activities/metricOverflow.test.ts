import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { openWorld, type World } from '../support/world';
import { type ActivityApi, activityApi, codes } from './activityApi';

const max = Number.MAX_SAFE_INTEGER;

/** Adds `ext.steps`, which may be negative, to the metric. */
const steps = {
  key: 'steps',
  name: 'Steps',
  activityTypes: ['Redemption'],
  actions: [{ type: 'addMetric', metric: 'steps', value: { of: { fact: 'activity', path: '$.ext.steps' }, times: 1 } }],
};

let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({ rules: [steps] });
  acting = activityApi(world);
});
afterAll(() => world.close());

async function sumsOf(memberId: unknown, metricName: string): Promise<Record<string, number[]>> {
  await rollUp(world.services, { now: world.services.clock.now() });
  const query = encodeURIComponent(JSON.stringify({ memberId, metricName }));
  const sums: Record<string, number[]> = {};
  for (const period of ['daily', 'monthly', 'year', 'lifetime']) {
    const { body } = await world.server.as('admin').get(`/${period}aggregates?query=${query}`);
    sums[period] = body.map(({ metricAggValue }: { metricAggValue: number }) => metricAggValue);
  }
  return sums;
}
const all = (value: number) => ({ daily: [value], monthly: [value], year: [value], lifetime: [value] });

test('a purchase whose sum would be no exact integer is refused with 2900, and a cancel restores the earlier sum', async () => {
  const { _id } = await world.addMember();
  const small = await acting.processed('Accrual', _id, { value: 10 });
  const large = await acting.processed('Accrual', _id, { value: max - 10 });
  expect(await sumsOf(_id, 'spend')).toEqual(all(max));

  const refused = await acting.post({ type: 'Accrual', memberID: _id, value: 10 });
  expect(codes(refused)).toEqual([2900]);
  expect(await sumsOf(_id, 'spend')).toEqual(all(max));
  expect(await sumsOf(_id, 'visits')).toEqual(all(2));

  await acting.cancel(small, {});
  expect(await sumsOf(_id, 'spend')).toEqual(all(max - 10));
  await acting.cancel(large, {});
  expect(await sumsOf(_id, 'spend')).toEqual(all(0));
  await acting.processed('Accrual', _id, { value: max });
  expect(await sumsOf(_id, 'spend')).toEqual(all(max));
});

test('several such purchases are refused alike in one batch and one after the other', async () => {
  const { _id } = await world.addMember();
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => acting.post({ type: 'Accrual', memberID: _id, value: 2 ** 52 })),
  );
  expect(answers.map((answer) => codes(answer).join()).sort()).toEqual(['', '2900', '2900', '2900']);
  expect(await sumsOf(_id, 'spend')).toEqual(all(2 ** 52));
});

test('a metric that falls is refused before one of its sums becomes inexact', async () => {
  const { _id } = await world.addMember();
  const post = (ext: object) => acting.post({ type: 'Redemption', memberID: _id, value: 0, ext });
  const up = await post({ steps: 2 ** 51 });
  expect(codes(up)).toEqual([]);
  expect(codes(await post({ steps: -(2 ** 51) }))).toEqual([]);
  expect(codes(await post({ steps: 1 }))).toEqual([2900]);
  expect(await sumsOf(_id, 'steps')).toEqual(all(0));
  await acting.cancel(up.body.result.data.activityId, {});
  expect(await sumsOf(_id, 'steps')).toEqual(all(-(2 ** 51)));
  expect(codes(await post({ steps: 1 }))).toEqual([]);
});
