import { valuesAt } from '#base/common/valuesAt';

test.each([
  ['a.b', { a: { b: 1 } }, [1]],
  ['a.b', { a: [{ b: 1 }, { c: 2 }, { b: [3, 4] }] }, [1, 3, 4]],
  ['a', { a: [1, 2] }, [1, 2]],
  ['a.b', { a: [[{ b: 1 }]] }, []],
  ['a.b', { a: 'text' }, []],
  ['a.b', { a: null }, []],
  ['a.length', { a: [1] }, []],
  ['constructor.name', {}, []],
])('at %s of %j are %j', (path, record, values) => {
  expect(valuesAt(record, path)).toEqual(values);
});
