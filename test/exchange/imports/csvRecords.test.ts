import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvSource, lookupCsvLimits } from '#engine/rules/read/tables/csvSource';
import { csvRecords } from '#exchange/imports/file/csvRecords';
import { openRows } from '#exchange/imports/file/openRows';
import type { FileFormat } from '#exchange/imports/import';
import { importKinds } from '#exchange/imports/kinds/importKinds';
import { rowFieldsFor } from '#exchange/imports/rowFieldsFor';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import { longestBlockMs } from '../../publishing/rulesets/longestBlock';
import { scaled, share } from '../../support/scale';

async function* inParts(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const lineEnds = ['\r\n', '\n', '\r'];

const isFilled = (cells: readonly string[]) => cells.some((cell) => cell.trim() !== '');

/** What a library that is in wide use makes of a file; undefined when it refuses it. */
function byLibrary(text: string): string[][] | undefined {
  try {
    const options = { encoding: 'latin1' as const, relax_column_count: true, record_delimiter: lineEnds };
    const records: string[][] = parse(Buffer.from(text), options);
    return records.filter(isFilled);
  } catch {
    return undefined;
  }
}

async function cellsOf(text: string, size: number): Promise<string[][] | undefined> {
  const found: string[][] = [];
  try {
    for await (const { cells } of csvRecords(inParts(text, size), ',')) found.push(cells);
    return found;
  } catch {
    return undefined;
  }
}

test('a file has the records that a library finds, in pieces of any size', async () => {
  const signs = fc.constantFrom('a', 'b c', ',', ',', '"', '""', '\n', '\r', '\r\n', ' ', 'é', ';', '"a"', '"x\ny",');
  const texts = fc.array(signs, { maxLength: 30 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (text, size) => {
      expect(await cellsOf(text, size)).toEqual(byLibrary(text));
    }),
    { numRuns: scaled(3000) },
  );
});

test('a record has the line on which it begins, and the records before a fault are found', async () => {
  const found: unknown[] = [];
  const text = 'a,"b\r\nc"\r\n\r\n , \nd,e\rf,"g\n\n\nh';
  const read = async () => {
    for await (const { cells, line } of csvRecords(inParts(text, 3), ',')) found.push([line, cells.length]);
  };
  await expect(read()).rejects.toThrow('line 6: a quote is not closed');
  expect(found).toEqual([
    [1, 2],
    [5, 2],
  ]);
});

const fields = rowFieldsFor(importKinds.members, noExtDefinitions);

/** Reads a file, and returns the number of its rows, of those with faults, and the longest time that it held the event loop. */
async function readTo(format: FileFormat, text: string) {
  return longestBlockMs(async () => {
    const bytes = Buffer.from(text);
    const source = async function* () {
      for (let at = 0; at < bytes.length; at += 2 ** 20) yield bytes.subarray(at, at + 2 ** 20);
    };
    return async () => {
      const { rows } = await openRows(source(), format, fields);
      let [count, failed] = [0, 0];
      for await (const { faults } of rows) [count, failed] = [count + 1, failed + (faults ? 1 : 0)];
      return [count, failed];
    };
  }, 100);
}

const header = 'loyaltyID,program\n';

/** Files that are as costly as their size allows. */
const costly = [
  ['csv', 'blank lines', `${header}${'\n'.repeat(200_000)}a,b`, [1, 0]],
  ['csv', 'blank lines of CRLF', `${header}${'\r\n'.repeat(200_000)}a,b`, [1, 0]],
  ['csv', 'blank lines of CR', `${header}${'\r'.repeat(200_000)}a,b`, [1, 0]],
  ['csv', 'lines of blanks', `${header}${'  \n'.repeat(200_000)}a,b`, [1, 0]],
  ['csv', 'lines of separators', `${header}${',,,\n'.repeat(200_000)}a,b`, [1, 0]],
  ['csv', 'blank lines before the header', `${'\n'.repeat(200_000)}${header}a,b`, [1, 0]],
  ['csv', 'rows with too many columns', `${header}${'a,b,,\n'.repeat(100_000)}`, [100_000, 0]],
  ['csv', 'rows with too few cells', `${header}${'a\n'.repeat(100_000)}`, [100_000, 100_000]],
  ['csv', 'short rows', `${header}${'a,b\n'.repeat(200_000)}`, [200_000, 0]],
  ['csv', 'a row of separators', `${header}a,b${','.repeat(1_000_000)}\n`, [1, 0]],
  ['csv', 'a row of separators with a value', `${header}a,b${','.repeat(1_000_000)}x\n`, [1, 1]],
  ['csv', 'columns without a name', `loyaltyID,program${','.repeat(1_000_000)}\na,b\n`, [1, 0]],
  ['csv', 'quoted blanks', `${header}${'"",""\n'.repeat(150_000)}a,b`, [1, 0]],
  ['csv', 'a text of line ends', `${header}a,"${'\n'.repeat(1_000_000)}"\n`, [1, 0]],
  ['csv', 'a text of quotes', `${header}a,"${'""'.repeat(500_000)}"\n`, [1, 0]],
  ['ndjson', 'blank lines', '\n'.repeat(1_000_000), [0, 0]],
  ['ndjson', 'blank lines of CR', '\r'.repeat(1_000_000), [0, 0]],
  ['ndjson', 'short lines', '{}\r'.repeat(200_000), [200_000, 0]],
] as const;

test.each(share(costly, 3))('%s: %s do not block the event loop', async (format, _what, text, expected) => {
  const { result, blockedMs } = await readTo(format, text);
  expect(result).toEqual(expected);
  expect(blockedMs).toBeLessThan(100);
});

test('a header of very many columns is refused, and does not block the event loop', async () => {
  const opened = openRows(inParts(`loyaltyID,program${',a'.repeat(400_000)}\n`, 2 ** 20), 'csv', fields);
  await expect(opened).rejects.toMatchObject({
    details: { errors: [expect.objectContaining({ kind: 'maxItems', message: 'has more than 200 columns' })] },
  });
});

test.each([
  ['blank lines', `k,v\n${'\n'.repeat(200_000)}a,1\n`],
  ['lines of separators', `k,v\n${',,,\n'.repeat(100_000)}a,1\n`],
  ['blank lines before the header', `${'\n'.repeat(200_000)}k,v\na,1\n`],
])('a lookup table with %s does not block the event loop', async (_what, text) => {
  const { result, blockedMs } = await longestBlockMs(
    async () => () => CsvSource.read({ path: 'main/a.csv', text }, lookupCsvLimits),
    100,
  );
  expect(result.faults.count === 0 ? result.rows.length : 0).toBe(2);
  expect(blockedMs).toBeLessThan(100);
});
