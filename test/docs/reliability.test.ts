import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileOf, rows } from '../faults/rows.cjs';

const page = readFileSync('docs/reliability.md', 'utf8');

test('the page on reliability has each row that `npm run faults` reports, with the files that show it', () => {
  const lines = rows.map(
    ({ number, promise, files }) =>
      `| ${number} | ${promise} | ${files.map((name) => `\`${fileOf(name)}\``).join(', ')} |`,
  );
  expect(lines.filter((line) => !page.includes(`\n${line}\n`))).toEqual([]);
});

test('the files of each row exist, and each test of faults belongs to a row', () => {
  const named = new Set(rows.flatMap(({ files }) => files.map(fileOf)));
  expect([...named].filter((file) => !existsSync(file))).toEqual([]);
  const all = readdirSync('test/faults').filter((name) => name.endsWith('.test.ts'));
  expect(all.map((name) => `test/faults/${name}`).filter((file) => !named.has(file))).toEqual([]);
});
