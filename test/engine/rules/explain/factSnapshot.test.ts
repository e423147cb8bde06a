import { FactSnapshot, readSnapshotFact, seenAt } from '#engine/rules/explain/factSnapshot';
import { snapshotParams } from '#engine/rules/explain/snapshotParams';

const long = { filter: { inclusionParams: { category: { searchStr: 'Coffee,'.repeat(100) } } } };
const valuesOf = (...stored: Record<string, unknown>[]) => new FactSnapshot(stored.flatMap(readSnapshotFact));

test('long params, of which only the hash is kept, are found by the params themselves', () => {
  const stored = { fact: 'eligibleAmount', ...snapshotParams(long), priority: 5, value: 40 };
  expect(stored).not.toHaveProperty('params');
  const values = valuesOf(stored);
  expect(values.of({ fact: 'eligibleAmount', params: long })).toMatchObject([{ value: 40 }]);
  expect(values.of({ fact: 'eligibleAmount', params: { filter: {} } })).toBeUndefined();
});

test('a metric is found however its params are written', () => {
  const values = valuesOf({ fact: 'aggregate', params: { period: 'month', metric: 'spend' }, priority: 5, value: 7 });
  expect(values.of({ fact: 'aggregate', params: { metric: 'spend', period: 'month' } })).toMatchObject([{ value: 7 }]);
  expect(values.of({ fact: 'aggregate', params: { metric: 'spend', period: 'day' } })).toBeUndefined();
});

test('a value for one line item belongs to that one, a value for all belongs to each', () => {
  const values = valuesOf(
    { fact: 'product', path: '$.sku', line: 0, priority: 5, value: 'A' },
    { fact: 'member', path: '$.locale', priority: 5, value: 'fr' },
  );
  expect(values.of({ fact: 'product', path: '$.sku' }, 0)).toMatchObject([{ value: 'A' }]);
  expect(values.of({ fact: 'product', path: '$.sku' }, 1)).toBeUndefined();
  expect(values.of({ fact: 'member', path: '$.locale' }, 1)).toMatchObject([{ value: 'fr' }]);
});

test('a priority sees the last reading of its own or a higher priority', () => {
  const readings = [9, 5].map((priority) => ({ priority, value: priority }));
  expect([10, 9, 7, 5, 1].map((priority) => seenAt(readings, priority)?.value)).toEqual([undefined, 9, 9, 5, 5]);
});

test('entries that are not readings are ignored', () => {
  expect([{}, { fact: 'member' }, { fact: 5, priority: 1 }].flatMap(readSnapshotFact)).toEqual([]);
});
