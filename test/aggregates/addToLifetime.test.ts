import { fc, test as property } from '@fast-check/jest';
import { ObjectId } from 'bson';
import { addToLifetime, type LifetimeEntry } from '../../src/aggregates/addToLifetime';

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

test('nothing it is given is changed, and untouched aggregates stay the same objects', () => {
  const before = Object.freeze(add({ metric: 'visits', value: 1 }, { metric: 'spend', value: 5 }).map(Object.freeze));
  const after = addToLifetime(before as ReturnType<typeof add>, [{ metric: 'spend', value: 1 }], later, member);
  expect(after[0]).toBe(before[0]);
  expect(values(before as ReturnType<typeof add>)).toEqual([
    ['visits', 1],
    ['spend', 5],
  ]);
});

test('an aggregate keeps the first end it is given', () => {
  const aggregates = add(
    { metric: 'promo', value: 1, expirationDate: later },
    { metric: 'promo', value: 2, expirationDate: new Date('2027-01-01') },
  );
  expect(aggregates).toMatchObject([{ metricAggValue: 3, expirationDate: later }]);
});

test('an aggregate whose end is reached takes nothing more: its metric starts anew beside it, with another id', () => {
  const ended = add({ metric: 'promo', value: 7, expirationDate: later });
  const after = addToLifetime(ended, [{ metric: 'promo', value: 2 }], later, member);
  expect(values(after)).toEqual([
    ['promo', 7],
    ['promo', 2],
  ]);
  expect(after[1]?._id).not.toEqual(after[0]?._id);
  expect(after[1]).not.toHaveProperty('expirationDate');
});

test('an aggregate without end gets one, and an id of its own with it', () => {
  const endless = add({ metric: 'promo', value: 1 });
  const [ending] = addToLifetime(endless, [{ metric: 'promo', value: 1, expirationDate: later }], now, member);
  const [restarted] = add({ metric: 'promo', value: 1 });
  expect(ending).toMatchObject({ metricAggValue: 2, expirationDate: later });
  expect(ending?._id).not.toEqual(restarted?._id);
});

property.prop([
  fc.array(fc.record({ metric: fc.constantFrom('a', 'b', 'c'), value: fc.integer({ min: -1e6, max: 1e6 }) })),
  fc.nat(),
])('adding in two steps or at once gives the same', (entries, cut) => {
  const at = cut % (entries.length + 1);
  const atOnce = addToLifetime([], entries, now, member);
  const steps = addToLifetime(addToLifetime([], entries.slice(0, at), now, member), entries.slice(at), now, member);
  expect(steps).toEqual(atOnce);
});

test('a sum at the end of the safe integers stays there', () => {
  const max = Number.MAX_SAFE_INTEGER;
  expect(values(add({ metric: 'spend', value: max }, { metric: 'spend', value: max }))).toEqual([['spend', max]]);
});
