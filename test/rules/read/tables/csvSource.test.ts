import fc from 'fast-check';
import { CsvSource } from '../../../../src/rules/read/tables/csvSource';
import { stopwatch } from '../../../support/givenTime';
import { scaled } from '../../../support/scale';

const cellText = fc.string({ unit: fc.constantFrom('a', 'b', ' ', ',', '"', '\n', '\r\n', 'ä', ';'), maxLength: 6 });
const written = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('any cells, written as RFC 4180 says, are read as they were, each at its place', async () => {
  const tables = fc.array(fc.array(cellText, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(tables, fc.constantFrom('\n', '\r\n'), fc.boolean(), async (table, lineEnd, endsWithLine) => {
      const lines = table.map((row) => row.map(written).join(','));
      const text = `${lines.join(lineEnd)}${endsWithLine ? lineEnd : ''}`;
      const source = await CsvSource.read({ path: 'demo/a.csv', text });
      expect(source.faults.errors).toEqual([]);
      const filled = table.filter((row) => row.some((cell) => cell !== ''));
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

test('any text is read or named, and never throws', async () => {
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
