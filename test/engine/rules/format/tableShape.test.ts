import { compileCheck } from '#base/schema/parse';
import { tableShape } from '#engine/rules/format/tableShape';

const faultsOf = compileCheck(tableShape);
const column = { set: '$.name' };

test('the name of a column has at most 100 characters', () => {
  const named = (name: string) => ({ columns: { [name]: column }, rows: [{ [name]: 1 }] });
  expect(faultsOf(named('c'.repeat(100)))).toEqual([]);
  expect(faultsOf(named('c'.repeat(101))).map(({ path }) => path.split('.')[0])).toEqual(
    expect.arrayContaining(['columns', 'rows']),
  );
});

test('a table has at most 50 columns', () => {
  const columns = Array.from({ length: 51 }, (_unused, n) => [`c${n}`, column] as const);
  expect(faultsOf({ columns: Object.fromEntries(columns.slice(1)), csv: 'a.csv' })).toEqual([]);
  expect(faultsOf({ columns: Object.fromEntries(columns), csv: 'a.csv' })).toEqual([
    expect.objectContaining({ path: 'columns', kind: 'maxProperties' }),
  ]);
});
