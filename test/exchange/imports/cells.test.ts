import type { TObject, TSchema } from '@sinclair/typebox';
import fc from 'fast-check';
import { numberCell, parseDecimal } from '#base/common/cells/cellNumbers';
import { collectionOf } from '#base/db/collections';
import { typedCell } from '#engine/rules/read/tables/columnKind';
import { CsvSource } from '#engine/rules/read/tables/csvSource';
import { openRows } from '#exchange/imports/file/openRows';
import { importKinds } from '#exchange/imports/kinds/importKinds';
import { rowFieldsFor } from '#exchange/imports/rowFieldsFor';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import { importKindNames } from '#records/imports/importKindNames';
import { accrualItemResource } from '#records/points/accrualItem';
import { activityApi } from '../../activities/activityApi';
import { scaled } from '../../support/scale';
import { earnRule, openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  await world.addMember({ loyaltyID: 'M-1' });
  imports = importing(world);
});
afterAll(() => world.close());

/**
 * Texts that stand in files, with what the page on bulk says of them: the value in a column of whole numbers and in one of
 * decimals. `undefined`: the row fails.
 */
const cells: readonly [text: string, whole: number | undefined, decimal: number | undefined][] = [
  ['0', 0, 0],
  ['7', 7, 7],
  [' 7 ', 7, 7],
  ['007', 7, 7],
  ['-3', -3, -3],
  ['-0', 0, 0],
  ['1000', 1000, 1000],
  ['9007199254740991', 9_007_199_254_740_991, 9_007_199_254_740_991],
  ['12.5', undefined, 12.5],
  ['12.00', undefined, 12],
  ['1.0', undefined, 1],
  ['-0.5', undefined, -0.5],
  ['0.125', undefined, 0.125],
  ['1234.567', undefined, 1234.567],
  ...[
    "1.000|12.345|1.000.000|1,000|1,000.00|1.000,00|1,5|1 000|1\u00A0000|1\u202F000|1\u2009000|1_000|1’000|1'000|1٬000",
    '1e3|1E3|1e+3|1.5e2|1E-2|1e400|1e0|0x10|0b1|0o7|10n|Infinity|-Infinity|NaN|INF|∞|null|true|[1]|{"a":1}|"5"',
    '+5|++5|--5|- 5|−5|5-|(5)|5.|.5|-.5|.|-|5..5|1.2.3|5 5|5%|$5|5 €|EUR 5|12 pts|１２|١٢|一|½|²|Ⅷ|O|l0|1O|#REF!|=1+1|5;|5\t5',
    '9007199254740992|9007199254740993|99999999999999999999|0.12345678901234567891|123456789012345678.5',
  ]
    .join('|')
    .split('|')
    .map((text): [string, undefined, undefined] => [text, undefined, undefined]),
];

/** Every column of numbers that a row of a kind may have, from what the document says of the bodies. */
function numberColumns({ properties }: TObject, prefix = ''): { name: string; isWhole: boolean }[] {
  return Object.entries(properties).flatMap(([name, schema]: [string, TSchema]) => {
    const column = `${prefix}${name}`;
    if (schema.type === 'object' && schema.properties) return numberColumns(schema as TObject, `${column}.`);
    return schema.type === 'integer' || schema.type === 'number'
      ? [{ name: column, isWhole: schema.type === 'integer' }]
      : [];
  });
}

const columns = importKindNames.flatMap((kind) => {
  const found = numberColumns(importKinds[kind].fields.body);
  return [...found, ...(kind === 'members' ? [{ name: 'balance:Points', isWhole: true }] : [])].map((column) => ({
    kind,
    ...column,
  }));
});

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function rowsOf(kind: (typeof importKindNames)[number], header: readonly string[], texts: readonly string[]) {
  const needed = importKinds[kind].fields.required.flatMap(([name]) => (name && !header.includes(name) ? [name] : []));
  const lines = [
    [...header, ...needed].join(','),
    ...texts.map((text) => [quoted(text), ...needed.map(() => '')].join(',')),
  ];
  const source = (async function* () {
    yield Buffer.from(lines.join('\n'));
  })();
  const { rows } = await openRows(source, 'csv', rowFieldsFor(importKinds[kind], noExtDefinitions));
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('most kinds have columns of numbers', () => {
  expect(columns.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining([
      'members balance:Points',
      'accrualitems accruedPoints',
      'activities value',
      'products price',
    ]),
  );
});

test.each(columns)(
  '$kind: a cell of $name is a number of digits, or a fault that names it',
  async ({ kind, name, isWhole }) => {
    const rows = await rowsOf(
      kind,
      [name],
      cells.map(([text]) => text),
    );
    expect(rows).toHaveLength(cells.length);
    for (const [index, [text, whole, decimal]] of cells.entries()) {
      const expected = isWhole ? whole : decimal;
      const row = rows[index];
      if (expected === undefined) {
        const [fault] = row?.faults ?? [];
        expect([text, row?.value, fault?.path, fault?.kind]).toEqual([text, undefined, name, 'type']);
        // What is wrong, and the number that is too large or may be two, stand in the sentence.
        expect(fault?.message).toMatch(/such as|write|from -\d+ to \d+/);
      } else expect([text, row?.faults, row?.value]).toEqual([text, undefined, { [name]: expected }]);
    }
  },
);

test('a column of numbers in a lookup table reads its cells alike', async () => {
  for (const [text, , decimal] of cells) {
    const file = await CsvSource.read({ path: 'main/a.csv', text: 'n\n1\n' });
    const value = typedCell(file, { text: text.trim(), offset: 0 }, 'number');
    // Leading zeros make a name there.
    const expected = /^0\d/.test(text) ? undefined : decimal;
    expect([text, file.faults.count > 0 ? undefined : value]).toEqual([text, expected]);
  }
});

test.each([
  ['members', 'loyaltyID', '4.00012E+15', 'format'],
  ['members', 'loyaltyID', '4,00012E+15', 'format'],
  ['members', 'phone', '4.7E+10', 'format'],
  ['accrualitems', 'externalId', '1E+20', 'format'],
  ['activities', 'externalTxnId', '9.00E+05', 'format'],
  ['products', 'sku', '4.01234E+12', 'format'],
  ['products', 'excludeFromEarning', 'WAHR', 'type'],
  ['products', 'excludeFromEarning', '1', 'type'],
  ['activities', 'date', '31.01.2026', 'date'],
  ['activities', 'date', '2026-02-30T10:00:00Z', 'date'],
  ['activities', 'lineItems', '[{"itemSKU":"tea","itemPrice":1.000}]', 'type'],
  ['activities', 'lineItems', '[{"itemSKU":"tea","itemPrice":1e3}]', 'type'],
  ['activities', 'tenderItems', '[{"value":10E2}]', 'type'],
  ['activities', 'lineItems', '[{"itemSKU":"tea",}]', 'json'],
] as const)('%s: %s is not %s', async (kind, column, text, expected) => {
  const [row] = await rowsOf(kind, [column], [text]);
  expect([row?.value, row?.faults]).toEqual([undefined, [expect.objectContaining({ path: column, kind: expected })]]);
});

test.each([
  ['products', 'sku', '1E05'],
  ['products', 'sku', '4E12'],
  ['products', 'sku', '1.000'],
  ['members', 'loyaltyID', '0012'],
  ['activities', 'lineItems', '[{"itemSKU":"1e3 1.000","itemPrice":1000,"itemAmount":12.345}]'],
] as const)('%s: %s may be %s', async (kind, column, text) => {
  const [row] = await rowsOf(kind, [column], [text]);
  expect(row?.value).toEqual({ [column]: text.startsWith('[') ? JSON.parse(text) : text });
});

test('a row names every cell that cannot be read', async () => {
  const source = (async function* () {
    yield Buffer.from('sku,name,price,excludeFromEarning\n4.1E+12,Tea,1.000,yes\n');
  })();
  const { rows } = await openRows(source, 'csv', rowFieldsFor(importKinds.products, noExtDefinitions));
  for await (const { faults } of rows)
    expect(faults?.map(({ path }) => path)).toEqual(['sku', 'price', 'excludeFromEarning']);
});

test('any number of an export is imported unchanged', () => {
  const numbers = fc.double({ min: -9e15, max: 9e15, noNaN: true });
  fc.assert(
    fc.property(
      fc.oneof(
        numbers,
        fc.integer(),
        numbers.map((n) => Math.round(n % 1e6) / 1000),
      ),
      (value) => {
        const cell = numberCell(value);
        expect(cell).toMatch(/^[\d.-]+$/);
        expect(cell).not.toMatch(/^-?[1-9]\d{0,2}\.\d{3}$/);
        expect(parseDecimal(cell)).toBe(value + 0);
      },
    ),
    { numRuns: scaled(500) },
  );
});

test.each([
  ['members', 'loyaltyID,program,balance:Points', (n: string) => `C-1,main,${n}`],
  ['accrualitems', 'externalId,loyaltyID,purse,accruedPoints', (n: string) => `C-1,M-1,Points,${n}`],
  ['activities', 'externalTxnId,type,loyaltyID,value', (n: string) => `C-1,Accrual,M-1,${n}`],
  ['products', 'sku,name,price', (n: string) => `C-1,Tea,${n}`],
])(
  'a row of %s that failed for its number leaves nothing behind, so the corrected file works',
  async (kind, header, row) => {
    const stored = () => collectionOf(world.services.db, accrualItemResource).countDocuments({});
    const before = await stored();
    for (const text of ['1.000', '1e3', '1,000']) {
      const { counts, errors } = await imports.imported({ kind, content: `${header}\n${row(quoted(text))}\n` });
      expect(counts).toMatchObject({ rows: 1, failed: 1 });
      await activityApi(world).drain();
      expect(await stored()).toBe(before);
      expect(errors).toContain(text);
    }
    const { counts } = await imports.imported({ kind, content: `${header}\n${row('1000')}\n` });
    expect(counts).toMatchObject({ rows: 1, created: 1 });
    await activityApi(world).drain();
    if (kind !== 'products') {
      const [last] = await collectionOf(world.services.db, accrualItemResource).find({}).sort({ _id: -1 }).toArray();
      expect(last?.accruedPoints).toBeGreaterThanOrEqual(1000);
    }
  },
);

test('an export with ambiguous prices is imported without a change', async () => {
  const admin = world.server.as('admin');
  for (const [n, price] of [12.345, 1e-7, 100.25, 0.1 + 0.2].entries()) {
    expect((await admin.post('/products', { sku: `E-${n}`, name: 'Tea', price })).status).toBe(201);
  }
  const { body } = await admin.get('/exports?kind=products');
  const { counts } = await imports.imported({ kind: 'products', content: body });
  expect(counts).toMatchObject({ created: 0, updated: 0, failed: 0 });
});
