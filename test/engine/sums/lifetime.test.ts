import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { addToLifetime, type LifetimeEntry, lifetimeEnd } from '#engine/sums/lifetime';

const member = new ObjectId('64b000000000000000000001');
const now = new Date('2026-05-01T00:00:00Z');
const later = new Date('2026-06-01T00:00:00Z');

const add = (...entries: LifetimeEntry[]) => addToLifetime([], entries, now, member);
const values = (aggregates: ReturnType<typeof addToLifetime>) =>
  aggregates.map(({ metricName, metricAggValue }) => [metricName, metricAggValue]);

test('values of a metric add up in one aggregate, in the order of first appearance', () => {
  const first = add({ metric: 'visits', value: 1 }, { metric: 'spend', value: 500 }, { metric: 'visits', value: 1 });
  const second = addToLifetime(first, [{ metric: 'spend', value: -200 }], later, member);

  expect(values(first)).toEqual([
    ['visits', 2],
    ['spend', 500],
  ]);
  expect(values(second)).toEqual([
    ['visits', 2],
    ['spend', 300],
  ]);
  expect(second.map(({ lastAggDate }) => lastAggDate)).toEqual([now, later]);
  expect(second.map(({ _id }) => _id)).toEqual(first.map(({ _id }) => _id));
});

test('the arguments are not changed, and unchanged aggregates are not copied', () => {
  const before = Object.freeze(add({ metric: 'visits', value: 1 }, { metric: 'spend', value: 5 }).map(Object.freeze));
  const after = addToLifetime(before as ReturnType<typeof add>, [{ metric: 'spend', value: 1 }], later, member);
  expect(after[0]).toBe(before[0]);
  expect(values(before as ReturnType<typeof add>)).toEqual([
    ['visits', 1],
    ['spend', 5],
  ]);
});

describe('a value with an end goes to', () => {
  const end = (text: string) => new Date(text);
  const own = end('2027-01-01');
  const current = (...ends: (string | undefined)[]) =>
    add(...ends.map((text) => ({ metric: 'promo', value: 1, ...(text ? { expirationDate: end(text) } : {}) })));

  test.each<[string, (string | undefined)[], Date]>([
    ['one of its own when there is none', [], own],
    ['one of its own beside the one without an end', [undefined], own],
    ['one of its own when the others have ended', ['2026-04-01', '2026-05-01'], own],
    ['the open one, whose end stays', ['2026-06-01'], end('2026-06-01')],
    ['the open one that ends first', ['2026-04-01', '2026-08-01', '2026-06-01'], end('2026-06-01')],
  ])('%s', (_, ends, expected) => {
    expect(lifetimeEnd(current(...ends), 'promo', own, now)).toEqual(expected);
    expect(lifetimeEnd(current(...ends), 'other', own, now)).toEqual(own);
  });
});

test('each end of a metric has an aggregate and an id of its own', () => {
  const both = add({ metric: 'promo', value: 1 }, { metric: 'promo', value: 2, expirationDate: later });
  expect(both).toMatchObject([{ metricAggValue: 1 }, { metricAggValue: 2, expirationDate: later }]);
  expect(both[0]).not.toHaveProperty('expirationDate');
  expect(both[0]?._id).not.toEqual(both[1]?._id);
});

test('a value is taken back from the aggregate that it joined, even when that has ended or is gone', () => {
  const [ended] = add({ metric: 'promo', value: 7, expirationDate: now });
  const back = { metric: 'promo', value: -7, expirationDate: now };
  expect(addToLifetime(ended ? [ended] : [], [back], later, member)).toMatchObject([{ metricAggValue: 0 }]);
  const [alone, ...others] = addToLifetime([], [back], later, member);
  expect(others).toEqual([]);
  // The timer adds it to the aggregate that was moved before, which has this id.
  expect(alone).toMatchObject({ _id: ended?._id, metricAggValue: -7, expirationDate: now });
});

property.prop([
  fc.array(fc.record({ metric: fc.constantFrom('a', 'b', 'c'), value: fc.integer({ min: -1e6, max: 1e6 }) })),
  fc.nat(),
])('adding in two steps or at once gives equal sums', (entries, cut) => {
  const at = cut % (entries.length + 1);
  const atOnce = addToLifetime([], entries, now, member);
  const steps = addToLifetime(addToLifetime([], entries.slice(0, at), now, member), entries.slice(at), now, member);
  expect(steps).toEqual(atOnce);
});
