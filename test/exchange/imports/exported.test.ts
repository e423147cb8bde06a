import fc from 'fast-check';
import { collectionOf } from '#base/db/collections';
import { openRows } from '#exchange/imports/file/openRows';
import { importKinds } from '#exchange/imports/kinds/importKinds';
import { rowFieldsFor } from '#exchange/imports/rowFieldsFor';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import { productResource } from '#records/catalog/product';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  imports = importing(world);
});
afterAll(() => world.close());

/** Texts that a reader of cells may take for something else. */
const unusual: readonly string[] = [
  ' a ',
  'a ',
  '\na',
  'a\n',
  'a\nb',
  '\uFEFFa',
  'a\uFEFF',
  '\u00A0a',
  '\u3000',
  '\t=1',
  ' =1',
  ' ',
  '\n',
  '\t',
  '=1',
  '-',
  '+5',
  '@x',
  "'",
  "''",
  "'=x",
  "''=x",
  "'a",
  "'\t",
  '"',
  'a"b',
  '""',
  ',',
  ';',
  'sep=;',
  '#',
  '4.00012E+15',
  "'4.00012E+15",
  "''4.1E+12",
  '-4.1E+12',
  '+4,1E+12',
  '4E+12',
  ' 4.1E+12',
  '4.1E+12\n',
  '1.000',
  '007',
  '1e3',
  'true',
  'null',
  '{',
  '[1]',
  '{"a":1}',
  '2026-01-31',
  'é',
  'e\u0301',
  '＝1',
  '＋',
  "'＝1",
  '🍵',
];

const signs = fc.constantFrom(...' \n\t\'"=+-@,;.#aE1é\u00A0\uFEFF＝', '4.1E+12', "'");
const texts = fc.oneof(
  fc.constantFrom(...unusual),
  fc.array(signs, { minLength: 1, maxLength: 6 }).map((all) => all.join('')),
);

test('an export with any texts is imported as CSV without a change', async () => {
  const drawn = [...unusual, ...fc.sample(texts, 400)];
  const products = drawn.map((text, n) => ({ sku: `T-${n}`, name: text, category: text, ext: { own: text } }));
  const members = drawn.slice(0, 60).map((text, n) => ({
    loyaltyID: `T-${n}`,
    program: 'main',
    firstName: text,
    lastName: text,
    address: { city: text },
    ext: { own: text },
  }));
  for (const [kind, rows] of Object.entries({ products, members })) {
    const content = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { body: job } = await imports.post({ kind, format: 'ndjson', content });
    await imports.run();
    const { created } = await imports.read(job._id);
    expect(created).toBeGreaterThanOrEqual(50);
    const { body } = await world.server.as('admin').get(`/exports?kind=${kind}&format=csv`);
    const again = await imports.imported({ kind, content: body });
    expect([again.errors.split('\n').slice(1), again.counts]).toEqual([
      [''],
      { rows: created, created: 0, updated: 0, unchanged: created, failed: 0 },
    ]);
  }
  const stored = await collectionOf(world.services.db, productResource).find({}).toArray();
  for (const { sku, name } of stored) expect(name).toBe(products[Number(sku.slice(2))]?.name);
});

/** The value of the one cell of a file, or the kind of its fault. */
async function readValue(column: string, cell: string): Promise<unknown> {
  const others = ['sku', 'name'].filter((name) => name !== column);
  const source = (async function* () {
    yield Buffer.from(`${[column, ...others].join(',')}\n"${cell}",${others.map(() => 'x').join(',')}\n`);
  })();
  const { rows } = await openRows(source, 'csv', rowFieldsFor(importKinds.products, noExtDefinitions));
  for await (const { value, faults } of rows) return faults ? faults[0]?.kind : value?.[column];
  return undefined;
}

test.each([
  ['sku', ' a ', 'a'],
  ['sku', '4.1E+12', 'format'],
  ['sku', ' 4.1E+12 ', 'format'],
  ['sku', "'4.1E+12", '4.1E+12'],
  ['category', ' a ', ' a '],
  ['category', '  ', undefined],
  ['category', '4.1E+12', 'format'],
  ['category', '-4.1E+12', 'format'],
  ['category', "'-4.1E+12", '-4.1E+12'],
  ['category', "'a", "'a"],
  ['price', ' 5 ', 5],
  ['price', "'-5", -5],
])('the column %s reads the cell %j', async (column, cell, value) => {
  expect(await readValue(column, cell)).toEqual(value);
});

test('the file of failed rows keeps a shortened number as it was', async () => {
  const cells = ['4.1E+12', '-4.1E+12', '+4.1E+12'];
  const content = `sku,name,category\n${cells.map((cell, n) => `SH-${n},Tea,${cell}\n`).join('')}`;
  const first = await imports.imported({ kind: 'products', content });
  expect(first.counts).toMatchObject({ rows: 3, failed: 3 });
  const again = await imports.imported({ kind: 'products', content: first.errors });
  expect(again.counts).toMatchObject({ rows: 3, failed: 3 });
  // One that is guarded stays guarded, when its row fails for something else.
  const guarded = await imports.imported({ kind: 'products', content: "sku,name,category\nSH-9,,'-4.1E+12\n" });
  expect(guarded.errors).toContain(",'-4.1E+12");
});
