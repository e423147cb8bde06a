import fc from 'fast-check';
import { groupBy, pushTo } from '#base/common/lists/groupBy';

test('groups have every value once, in order, and stand in the order of their first values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (values) => {
      const groups = groupBy(values, (value) => value % 7);
      expect([...groups.keys()]).toEqual([...new Set(values.map((value) => value % 7))]);
      for (const [key, group] of groups) expect(group).toEqual(values.filter((value) => value % 7 === key));
    }),
  );
});

test('a value is appended to the list of its key', () => {
  const lists = new Map([['a', [1]]]);
  pushTo(lists, 'a', 2);
  pushTo(lists, 'b', 3);
  expect([...lists]).toEqual([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
});
