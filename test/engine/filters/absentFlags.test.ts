import { compileParse } from '#base/schema/parse';
import { compileFilter } from '#engine/filters/matchesFilter';
import { filterShape } from '#records/catalog/filterShape';

const parse = compileParse(filterShape);
const tea = { category: 'tea' };
const cup = { category: 'cups' };
const selected = (filter: object) => {
  const match = compileFilter('Product', parse(structuredClone(filter)));
  return [tea, cup].map((record) => match(record, { namedLists: new Map() }));
};
const by = (more: object) => ({ inclusionParams: { category: { searchStr: 'tea', ...more } } });

test.each([
  ['absent', {}, {}, [true, false]],
  ['true', { isIncluded: true }, { isIncluded: true }, [true, false]],
  ['absent inside', { isIncluded: true }, {}, [true, false]],
  ['absent outside', {}, { isIncluded: true }, [true, false]],
  ['false outside', { isIncluded: false }, {}, [false, true]],
  ['false inside', {}, { isIncluded: false }, [false, true]],
  ['false at both', { isIncluded: false }, { isIncluded: false }, [true, false]],
])('a filter selects with an isIncluded that is %s', (_name, outside, inside, expected) => {
  expect(selected({ ...outside, ...by(inside) })).toEqual(expected);
});

test('a flag that is not sent is not stored', () => {
  expect(parse(by({}))).toEqual(by({}));
});
