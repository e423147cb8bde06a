import type { SnapshotFact } from '#engine/rules/explain/factSnapshot';
import type { ProcessedActivity } from '#engine/rules/simulate/processedActivity';
import { SnapshotFacts } from '#engine/rules/simulate/snapshotFacts';

/** The member of a past activity as rules of a priority read it, of what the rules of that day read. */
function memberOf(reads: readonly Omit<SnapshotFact, 'fact' | 'priority'>[]) {
  const facts = reads.map((read) => ({ fact: 'member', priority: 1, ...read }));
  return new SnapshotFacts({ facts, activity: { lineItems: [] } } as unknown as ProcessedActivity).member(1);
}

test.each([
  ['text first', ['$.ext.a', '$.ext.a.b']],
  ['text last', ['$.ext.a.b', '$.ext.a']],
])('a part that is missing below a text leaves the text as it is: %s', (_order, paths) => {
  const values: Record<string, unknown> = { '$.ext.a': 'gold', '$.ext.a.b': undefined };
  expect(memberOf(paths.map((path) => ({ path, value: values[path] })))).toEqual({ ext: { a: 'gold' } });
});

test('parts of one record are joined, and a list that is kept as a whole stays as it is', () => {
  const reads = [
    { path: '$.ext.a', value: 1 },
    { path: '$.ext.b.c', value: null },
    { path: '$.segments', value: ['VIP'] },
    { path: '$.segments.0', value: 'VIP' },
  ];
  expect(memberOf(reads)).toEqual({ ext: { a: 1, b: { c: null } }, segments: ['VIP'] });
});

test.each([
  ['isBirthday', true],
  ['birthMonth', true],
  ['isFirstActivity', false],
])('where only the birth date was kept, %s is known: %s', (fact, isKnown) => {
  const facts = [{ fact: 'member', path: '$.birthDate', priority: 1, value: '1990-03-11' }];
  const kept = new SnapshotFacts({ facts, activity: { lineItems: [] } } as unknown as ProcessedActivity);
  expect(kept.knows({ fact })).toBe(isKnown);
});
