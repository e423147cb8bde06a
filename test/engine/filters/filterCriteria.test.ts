import { readFilter } from '#engine/filters/filterCriteria';
import { filterFields } from '#engine/filters/filterFields';

const criterionOf = (param: object, isWildCardSearch: boolean, name = 'sku') =>
  readFilter({ isWildCardSearch, inclusionParams: { [name]: param } }, filterFields.Product).criteria?.criteria[0];

it.each<[string, string, object, boolean, object]>([
  ['a text', 'sku', { searchStr: 'T*' }, false, { values: ['T*'], patterns: [] }],
  ['a text with wildcards', 'sku', { searchStr: 'T*' }, true, { values: [], patterns: ['T*'] }],
  ['a flag', 'excludeFromEarning', { searchStr: 'true' }, true, { values: [true], patterns: [] }],
  ['an extension field', 'ext.a', { searchStr: 'T*' }, true, { values: [], patterns: ['T*'] }],
  ['a number of an extension field', 'ext.a', { searchStr: '5', type: 'Number' }, true, { values: [5], patterns: [] }],
  ['texts apart, each once', 'sku', { searchStr: ' A, B,,A ' }, false, { values: ['A', 'B'], patterns: [] }],
])('a filter searches %s', (_case, name, param, isWildCardSearch, expected) => {
  expect(criterionOf(param, isWildCardSearch, name)).toMatchObject({ path: name, isIncluded: true, ...expected });
});
