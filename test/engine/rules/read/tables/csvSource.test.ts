import fc from 'fast-check';
import { CsvSource } from '#engine/rules/read/tables/csvSource';
import { stopwatch } from '../../../../support/givenTime';
import { scaled } from '../../../../support/scale';

const cellText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '\r\n', 'ä', ';'), maxLength: 6 });
const written = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('any cells that are written by RFC 4180 are read unchanged, each at its place', async () => {
  const tables = fc.array(fc.array(cellText, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(tables, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (table, lineEnd, endsWithLine) => {
      const lines = table.map((row) => row.map(written).join(','));
      const text = `${lines.join(lineEnd)}${endsWithLine ? lineEnd : ''}`;
      const source = await CsvSource.read({ path: 'demo/a.csv', text });
      expect(source.faults.errors).toEqual([]);
      const last = (row: readonly string[]) => row.findLastIndex((cell) => cell !== '');
      const rows = table.filter((row) => last(row) !== -1);
      // Cells at the end are passed over when they have neither name nor value.
      const filled = rows.map((row) => row.slice(0, Math.max(last(rows[0] ?? []), last(row)) + 1));
      expect(source.rows.map((row) => row.map((cell) => cell.text))).toEqual(filled);
      for (const cell of source.rows.flat()) {
        expect(text.slice(cell.offset, cell.offset + written(cell.text).length)).toBe(written(cell.text));
        const before = text.slice(0, cell.offset).split('\n');
        expect(source.placeOf(cell.offset)).toMatchObject({
          line: before.length,
          column: (before.at(-1)?.length ?? 0) + 1,
        });
      }
    }),
  );
});

const plain = [
  ['from', 'to'],
  ['a', 'b;c'],
  ['d,e', 'f'],
];

test.each([
  ['commas', 'from,to\na,b;c\n"d,e",f\n'],
  ['semicolons', 'from;to\na;"b;c"\nd,e;f\n'],
  ['a byte order mark', '\uFEFFfrom;to\r\na;"b;c"\r\nd,e;f'],
  ['a line that names the delimiter', 'sep=;\r\nfrom;to\r\na;"b;c"\r\nd,e;f'],
  ['such a line in quotes', '"sep=|"\nfrom|to\na|b;c\nd,e|f'],
  ['tabs', 'sep=\t\nfrom\tto\na\tb;c\nd,e\tf'],
  ['mixed ends of lines', 'from,to\ra,b;c\r\n\n"d,e",f\r'],
  ['blank lines and separators', '\n,,\nfrom,to\n\n,\na,b;c\n , \n"d,e",f\n,,,\n\n'],
  ['cells without name and value', 'from,to,,\na,b;c,,\n"d,e",f,,,'],
])('a file with %s is read', async (_what, text) => {
  const { rows, faults } = await CsvSource.read({ path: 'demo/a.csv', text });
  expect(faults.errors).toEqual([]);
  expect(rows.map((row) => row.map((cell) => cell.text))).toEqual(plain);
  // Each cell is found in the file without its mark, where faults name it.
  const own = text.replace(/^\uFEFF/, '');
  for (const cell of rows.flat()) expect(own.slice(cell.offset).replace('"', '')).toMatch(new RegExp(`^${cell.text}`));
});

test('a value without a column name is kept in its row', async () => {
  const { rows } = await CsvSource.read({ path: 'demo/a.csv', text: 'from,to,\na,b,x\n' });
  expect(rows.map((row) => row.length)).toEqual([2, 3]);
});

test('any text is read or reported as a fault, and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '\t', '\uFEFF') }),
      async (text) => {
        const { rows, faults } = await CsvSource.read({ path: 'demo/a.csv', text });
        expect(rows.length === 0 || faults.count === 0).toBe(true);
      },
    ),
    { numRuns: scaled(800) },
  );
});

test.each([',', '\n', 'a,', '"\n",'])('a megabyte of %j is refused before it is read', async (text) => {
  const takenMs = stopwatch();
  const { faults } = await CsvSource.read({ path: 'demo/a.csv', text: text.repeat(1_000_000 / text.length) });
  expect(faults.errors).toEqual([
    expect.objectContaining({ line: 1, message: expect.stringContaining('100000 cells') }),
  ]);
  expect(takenMs()).toBeLessThan(5000);
});

test('a fault in any part of a large file is named at its line', async () => {
  const lines = Array.from({ length: 12_000 }, (_, n) => `a${n},"b\n${n}"`);
  const { rows } = await CsvSource.read({ path: 'demo/a.csv', text: lines.join('\n') });
  expect(rows).toHaveLength(12_000);
  expect(rows[11_999]?.map(({ text }) => text)).toEqual(['a11999', 'b\n11999']);
  lines[7000] = 'a"b,c';
  const { faults } = await CsvSource.read({ path: 'demo/a.csv', text: lines.join('\n') });
  expect(faults.errors).toEqual([expect.objectContaining({ line: 14_001, column: 1 })]);
});
