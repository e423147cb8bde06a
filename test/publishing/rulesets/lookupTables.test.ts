import { collectionOf } from '#base/db/collections';
import { readRules } from '#engine/rules/read/readRules';
import { lookupTableResource } from '#publishing/rulesets/lookup/lookupTableResource';
import { loadLookupTable, lookupHashes, storeLookupTables } from '#publishing/rulesets/lookup/lookupTableStore';
import { rollBack } from '#publishing/rulesets/rollBack';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { tableDefinitions } from '../../engine/rules/tables/tableDefinitions';
import { makePolicy, makeProgram } from '../../support/definitions';
import { type OrgStore, openStore, type TestOrg } from './store';

let store: OrgStore;
let at: TestOrg;
let ruleSets: RuleSets;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  at = await store.addOrg();
  const program = await makeProgram(at.db, at.author, { code: 'shop' });
  await makePolicy(at.db, at.author, program);
  ruleSets = await at.process();
});
afterAll(() => store.close());

const row = (name: string) => ({ fact: 'table', path: `$.factor`, params: { name, keys: [channel] } });
const channel = { fact: 'activity', path: '$.srcChannelType' };
/** A rule that reads this table. */
const reading = (table: string) => ({
  key: `by-${table}`,
  name: 'By a table',
  activityTypes: ['Accrual'],
  actions: [{ type: 'addPoints', purse: 'Points', points: { of: row(table), times: 1 } }],
});
const declared = (table: string) => ({ lookupTable: table, csv: `${table}.csv`, keys: ['channel'] });
/** A CSV file of this many rows; each factor is its position and `plus`. */
const csvOf = (rows: number, plus = 0) =>
  ['channel,factor', ...Array.from({ length: rows }, (_, n) => `C${n},${n + plus}`)].join('\n');

async function write(table: string, csv: string): Promise<void> {
  await at.write(`shop/${table}.csv`, csv);
  await at.write(`shop/${table}.json`, [declared(table), reading(table)]);
}

const parts = () => collectionOf(at.db, lookupTableResource).find({ org: at.org._id }).sort({ hash: 1, part: 1 });
const stored = async () => (await parts().toArray()).map(({ part, rows, keptUntil }) => ({ part, rows, keptUntil }));

/** The tables of a version, read by a process that has none in its cache. */
async function tablesOf(version: number) {
  const set = await at.fresh().current(at.org._id, version);
  return { rules: set?.rules ?? [], tables: [...(set?.lookupTables.values() ?? [])] };
}

test('a version keeps the rows of its tables, whatever happens to the files', async () => {
  await write('factors', csvOf(3));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 1, errors: [] });
  await write('factors', csvOf(3, 10));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 2, errors: [] });
  for (const [version, factor] of [
    [1, 2],
    [2, 12],
  ] as const) {
    const { rules, tables } = await tablesOf(version);
    expect(tables.map((table) => table.row(['C2']))).toEqual([{ factor }]);
    expect(lookupHashes(rules)).toEqual(tables.map(({ contents }) => contents.hash));
  }
});

test('a large table is stored in parts and never copied while it is unchanged', async () => {
  await write('large', csvOf(25_000));
  await write('small', csvOf(2));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 1, errors: [] });
  const before = await parts().toArray();
  expect(before.map(({ rows }) => rows).sort()).toEqual([10_000, 10_000, 2, 5000]);
  expect(before.every(({ keptUntil }) => keptUntil === undefined)).toBe(true);
  await write('small', csvOf(3));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 2 });
  const after = await parts().toArray();
  expect(after).toHaveLength(5);
  for (const part of before) expect(after).toContainEqual(part);
  const { tables } = await tablesOf(2);
  expect(tables.map(({ contents }) => contents.rows).sort()).toEqual([25_000, 3]);
  expect(tables.map((table) => table.row(['C24999']))).toContainEqual({ factor: 24_999 });
});

test('unchanged contents publish nothing, however the file is laid out', async () => {
  await write('factors', csvOf(3));
  await ruleSets.publish(at.org._id);
  await write('factors', 'factor,channel\r\n0,C0\r\n\r\n1,"C1"\r\n2,C2\r\n');
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'unchanged', version: 1, errors: [] });
});

test('a program whose table has a fault keeps its rules and its table', async () => {
  await write('factors', csvOf(3));
  await ruleSets.publish(at.org._id);
  await write('factors', `${csvOf(3)}\nC2,5`);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({
    kind: 'refused',
    version: 1,
    errors: [{ file: 'shop/factors.csv', line: 5, column: 1 }],
  });
  const { tables } = await tablesOf(1);
  expect(tables.map((table) => table.row(['C2']))).toEqual([{ factor: 2 }]);
});

test('processes that publish equal tables at once store them once', async () => {
  await write('factors', csvOf(12_000));
  const others = await Promise.all([at.process(), at.process()]);
  const results = await Promise.all([ruleSets, ...others].map((each) => each.publish(at.org._id)));
  expect(results.map(({ version, errors }) => [version, errors])).toEqual(results.map(() => [1, []]));
  expect(await stored()).toEqual([
    { part: 0, rows: 10_000, keptUntil: undefined },
    { part: 1, rows: 2000, keptUntil: undefined },
  ]);
});

test('a waiting table keeps its latest end, and has none once it is published', async () => {
  const files = { json: JSON.stringify([declared('factors'), reading('factors')]), csv: csvOf(2) };
  const { lookupTables, errors } = await readRules(
    [
      { path: 'demo/a.json', text: files.json },
      { path: 'demo/factors.csv', text: files.csv },
    ],
    tableDefinitions,
  );
  expect(errors).toEqual([]);
  const wait = (keptUntil: Date) =>
    storeLookupTables({ db: at.db, author: at.author, now: at.clock.now(), keptUntil }, lookupTables);
  const [soon, later] = [new Date('2030-01-01'), new Date('2031-01-01')];
  for (const [until, end] of [
    [soon, soon],
    [later, later],
    [soon, later],
  ] as const) {
    await wait(until);
    expect(await stored()).toEqual([{ part: 0, rows: 2, keptUntil: end }]);
  }
  await write('factors', files.csv);
  await ruleSets.publish(at.org._id);
  await wait(soon);
  expect(await stored()).toEqual([{ part: 0, rows: 2, keptUntil: undefined }]);
});

test('a rollback brings back the table of its version, until the table in the files changes', async () => {
  await write('factors', csvOf(3));
  await ruleSets.publish(at.org._id);
  await write('factors', csvOf(3, 10));
  await ruleSets.publish(at.org._id);
  expect(await rollBack(at, 1)).toBe(3);
  const { files } = await ruleSetStatus(at.db, at.org._id);
  expect(files?.changed).toMatchObject([{ key: 'by-factors', fields: [{ field: 'lookupTables' }] }]);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'unchanged', version: 3, errors: [] });
  expect((await tablesOf(3)).tables.map((table) => table.row(['C2']))).toEqual([{ factor: 2 }]);
  await write('factors', csvOf(3, 20));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 4, errors: [] });
  expect((await tablesOf(4)).tables.map((table) => table.row(['C2']))).toEqual([{ factor: 22 }]);
});

test('another org has tables of its own', async () => {
  await write('factors', csvOf(3));
  await ruleSets.publish(at.org._id);
  const { rules } = await tablesOf(1);
  const [hash = ''] = lookupHashes(rules);
  const other = await store.addOrg();
  await expect(loadLookupTable(at.db, other.org._id, hash)).rejects.toThrow('is stored');
});
