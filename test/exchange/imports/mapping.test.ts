import { collectionOf } from '#base/db/collections';
import { openRows } from '#exchange/imports/file/openRows';
import { importKinds } from '#exchange/imports/kinds/importKinds';
import { readRequestedMapping } from '#exchange/imports/mapping/readMapping';
import { rowFieldsFor } from '#exchange/imports/rowFieldsFor';
import { noExtDefinitions } from '#programs/extensions/makeExtDefinitions';
import type { Mapping } from '#records/imports/mappingShape';
import { memberResource } from '#records/members/member';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  imports = importing(world);
});
afterAll(() => world.close());

const post = (query: Record<string, string>, content: string, type = 'text/csv') =>
  world.server.as('ledger-admin').post(`/imports?${new URLSearchParams(query)}`, undefined, {
    raw: content,
    headers: { 'content-type': type },
  });

async function done(query: Record<string, string>, content: string) {
  const { status, body } = await post(query, content);
  expect([status, body.errors]).toEqual([202, undefined]);
  await imports.run();
  return imports.read(body._id);
}

const german = 'Kartennummer;Vorname;Geburtstag;Mitglied seit;Punkte (€);Bemerkung;Preis [EUR]\n';

const names = {
  'map[Kartennummer]': 'loyaltyID',
  'map[Vorname]': 'firstName',
  'map[Geburtstag]': 'birthDate',
  'map[Mitglied seit]': 'enrolledAt',
  'map[Punkte (€)]': 'balance:Points',
  'map[Bemerkung]': '#',
  'map[Preis [EUR]]': '#',
};

test('a mapping reads any column names, forms of dates, decimal commas, factors and constants', async () => {
  const query = {
    kind: 'members',
    'set[program]': 'main',
    'set[ext.source]': 'old till',
    ...names,
    dateFormat: 'dd.MM.yyyy',
    timezone: 'Europe/Berlin',
    decimalComma: 'true',
    pointsFactor: '100',
  };
  const job = await done(
    query,
    `\uFEFFsep=;\r\n${german}1001;Jörg;03.02.1980;01.07.2020;12,34;neu;1\r\n1002;Mei;1.2.1980;;1.000;;\r\n`,
  );
  expect(job).toMatchObject({ created: 1, failed: 1, ignored: ['Bemerkung', 'Preis [EUR]'] });
  const member = await collectionOf(world.services.db, memberResource).findOne({ loyaltyID: '1001' });
  expect(member).toMatchObject({
    firstName: 'Jörg',
    birthDate: '1980-02-03',
    enrolledAt: new Date('2020-06-30T22:00:00Z'),
    ext: { source: 'old till' },
    purses: [{ availBalance: 1234 }],
  });
  // The failed rows have the columns of the file, so that the corrected file is imported by the same mapping.
  const { body: errors } = await world.server.as('admin').get(`/imports/${job._id.toHexString()}/errors`);
  expect(errors.split('\n')[0]).toBe(`#line,#fault,${german.trim().replaceAll(';', ',')}`);
  expect(errors).toContain('must be a date as dd.MM.yyyy; ""1.2.1980"" is not');
  const corrected = errors.replace(',1.2.1980,,1.000,', ',01.02.1980,,"1000,00",');
  expect(await done(query, corrected)).toMatchObject({ created: 1, failed: 0 });
});

test('a mapping is kept by its name for the next file, and arguments take precedence over it', async () => {
  const manager = world.server.as('program-manager');
  const mapping = {
    name: 'Old till',
    kind: 'members',
    dateFormat: 'dd.MM.yyyy',
    decimalComma: true,
    pointsFactor: 100,
    columns: [
      { column: 'Karte', field: 'loyaltyID' },
      { column: 'Punkte', field: 'balance:Points' },
    ],
    constants: [{ field: 'program', value: 'main' }],
  };
  const { status, body } = await manager.post('/importmappings', mapping);
  expect([status, body]).toEqual([201, expect.objectContaining(mapping)]);
  expect((await manager.post('/importmappings', mapping)).body.errors).toMatchObject([{ kind: 'unique' }]);
  const job = await done({ kind: 'members', mapping: 'Old till' }, 'Karte;Punkte\n2001;0,5\n');
  expect(job).toMatchObject({ created: 1, mapping: { pointsFactor: 100 } });
  expect(
    await done({ kind: 'members', mapping: 'Old till', pointsFactor: '10' }, 'Karte;Punkte\n2002;0,5\n'),
  ).toMatchObject({ created: 1 });
  const points = await collectionOf(world.services.db, memberResource)
    .find({ loyaltyID: /^200/ })
    .sort({ loyaltyID: 1 })
    .toArray();
  expect(points.map(({ purses }) => purses[0]?.availBalance)).toEqual([50, 5]);
  for (const sent of [
    { kind: 'products', mapping: 'Old till' },
    { kind: 'members', mapping: 'none' },
  ]) {
    const refused = await post(sent, 'Karte;Punkte\n1;1\n');
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [expect.objectContaining({ path: 'mapping', kind: 'reference' })],
    ]);
  }
  const wrong = await manager.patch(`/importmappings/${body._id}`, { dateFormat: 'DD/mm' });
  expect(wrong.body.errors).toMatchObject([{ path: 'dateFormat', kind: 'format' }]);
  expect((await manager.delete(`/importmappings/${body._id}`)).status).toBe(204);
});

test.each([
  [{ 'map[Card]': 'colour' }, 'Card', 'additionalProperties'],
  [{ 'map[Card]': 'loyaltyID', 'map[Cart]': 'program' }, 'map[Cart]', 'reference'],
  [{ 'map[Card]': 'program' }, 'program', 'unique'],
  [{ 'set[program]': 'main' }, 'set[program]', 'unique'],
  [{ 'set[balance:Points]': '1e3' }, 'set[balance:Points]', 'type'],
  [{ 'set[colour]': 'red' }, 'set[colour]', 'additionalProperties'],
  [{ dateFormat: 'dd.MM.yy' }, 'dateFormat', 'format'],
  [{ dateFormat: 'dd.mm.yyyy' }, 'dateFormat', 'format'],
  [{ timezone: 'Mars/Base' }, 'timezone', 'format'],
  [{ pointsFactor: '0' }, 'pointsFactor', 'exclusiveMinimum'],
  [{ pointsFactor: '1e2' }, 'pointsFactor', 'type'],
])('an impossible mapping is refused before anything is read: %j', async (query, path, kind) => {
  const { status, body } = await post({ kind: 'members', ...query }, 'Card,program,loyaltyID\n1,main,2\n');
  expect([status, body.errors]).toEqual([422, expect.arrayContaining([expect.objectContaining({ path, kind })])]);
});

test.each([
  '/imports?kind=members&map=x',
  '/imports?kind=members&map[]=x',
  '/imports?kind=members&maps[a]=x',
  '/imports?kind=members&query[$ne]=x',
  '/imports?kind=members&set[a][=x&set[a][=y',
  '/imports?kind=members&map[a]=x&map[a]=y',
  '/imports?kind=members&__proto__[a]=x',
  '/imports?kind=members&decimalComma=perhaps',
])('%s is refused', async (path) => {
  const options = { raw: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv' } };
  expect((await world.server.as('ledger-admin').post(path, undefined, options)).status).toBe(400);
});

test('other routes refuse arguments with brackets', async () => {
  for (const path of ['/members?map[a]=x', '/imports?set[a]=x', '/exports?kind=members&map[a]=b']) {
    expect((await world.server.as('admin').get(path)).status).toBe(400);
  }
});

test('a mapping is refused for NDJSON, which names its fields itself', async () => {
  const query = { kind: 'members', 'map[a]': 'loyaltyID' };
  expect((await post(query, '{"a":"1"}', 'application/x-ndjson')).status).toBe(400);
});

/** The one row of a file with one column, by a mapping. */
async function cell(kind: 'members' | 'products' | 'activities', column: string, text: string, mapping: Mapping) {
  const needed = importKinds[kind].fields.required.flatMap(([name]) => (name ? [name] : []));
  const source = (async function* () {
    yield Buffer.from(`${[column, ...needed].join(';')}\n"${text}"${';'.repeat(needed.length)}\n`);
  })();
  const { rows } = await openRows(source, 'csv', rowFieldsFor(importKinds[kind], noExtDefinitions), mapping);
  for await (const { value, faults } of rows) return faults ? 'fault' : value?.[column];
  return undefined;
}

const comma = { decimalComma: true };
const point = { decimalComma: false };

test.each<['members' | 'products' | 'activities', string, string, Mapping, unknown]>([
  ['products', 'price', '12,5', comma, 12.5],
  ['products', 'price', '1,000', comma, 1],
  ['products', 'price', '12.5', comma, 'fault'],
  ['products', 'price', '1.234,56', comma, 1234.56],
  ['products', 'price', '-12.345.678,9', comma, -12345678.9],
  ['products', 'price', '1.234.567', comma, 1234567],
  ['products', 'price', '1.234', comma, 'fault'],
  ['products', 'price', '1234.567,5', comma, 'fault'],
  ['products', 'price', '1.23,5', comma, 'fault'],
  ['products', 'price', '1.2345,5', comma, 'fault'],
  ['products', 'price', '0.123,5', comma, 'fault'],
  ['products', 'price', '1.234,', comma, 'fault'],
  ['products', 'price', '1.234,5,6', comma, 'fault'],
  ['products', 'price', '1.234,567.8', comma, 'fault'],
  ['products', 'price', '.234,5', comma, 'fault'],
  ['products', 'price', '1,234.56', comma, 'fault'],
  ['products', 'price', '1,234.56', point, 1234.56],
  ['products', 'price', '1,234,567', point, 1234567],
  ['products', 'price', '1,234', point, 'fault'],
  ['products', 'price', '1.234,56', point, 'fault'],
  ['products', 'price', '1.234,56', {}, 'fault'],
  ['products', 'price', '1,234.56', {}, 'fault'],
  ['products', 'price', '9.007.199.254.740.993', comma, 'fault'],
  ['products', 'price', '1.000', point, 1],
  ['products', 'price', '12.345', point, 12.345],
  ['products', 'price', '12,5', point, 'fault'],
  ['members', 'balance:Points', '12,5', comma, 'fault'],
  ['members', 'balance:Points', '12,5', { ...comma, pointsFactor: 10 }, 125],
  ['members', 'balance:Points', '12,55', { ...comma, pointsFactor: 10 }, 'fault'],
  ['members', 'balance:Points', '0.1', { pointsFactor: 10 }, 1],
  ['members', 'balance:Points', '1.005', { ...point, pointsFactor: 1000 }, 1005],
  ['members', 'balance:Points', '1.005', { pointsFactor: 1000 }, 'fault'],
  ['members', 'balance:Points', '300', { pointsFactor: 0.01 }, 3],
  ['members', 'balance:Points', '301', { pointsFactor: 0.01 }, 'fault'],
  ['members', 'balance:Points', '9007199254740991', { pointsFactor: 2 }, 'fault'],
  ['activities', 'value', '12', { pointsFactor: 100 }, 12],
  ['activities', 'value', '12,50', { ...comma, amountFactor: 100 }, 1250],
  ['activities', 'value', '19.99', { amountFactor: 100 }, 1999],
  ['activities', 'value', '0.29', { amountFactor: 100 }, 29],
  ['activities', 'value', '19.999', { amountFactor: 100 }, 'fault'],
  ['activities', 'value', '19.995', { ...point, amountFactor: 100 }, 'fault'],
  ['activities', 'value', '12,50', comma, 'fault'],
  ['activities', 'value', '1.234,50', { ...comma, amountFactor: 100 }, 123450],
  ['activities', 'value', '1,234.50', { ...point, amountFactor: 100 }, 123450],
  ['activities', 'value', '1.234', { ...comma, amountFactor: 100 }, 'fault'],
  ['activities', 'value', '1.234', comma, 'fault'],
  ['members', 'balance:Points', '-1.234,5', { ...comma, pointsFactor: 10 }, -12345],
  ['activities', 'payPoints', '3', { amountFactor: 100 }, 3],
  ['members', 'balance:Points', '3', { amountFactor: 100 }, 3],
  ['activities', 'date', '31.01.2026 13:45', { dateFormat: 'dd.MM.yyyy HH:mm' }, '2026-01-31T13:45:00.000'],
  [
    'activities',
    'date',
    '31.01.2026 13:45',
    { dateFormat: 'dd.MM.yyyy HH:mm', timezone: 'America/New_York' },
    '2026-01-31T18:45:00.000Z',
  ],
  ['activities', 'date', '2026-01-31T13:45:00Z', { dateFormat: 'dd.MM.yyyy' }, '2026-01-31T13:45:00Z'],
  ['activities', 'date', '2026-01-31T13:45', { dateFormat: 'yyyy-MM-dd HH:mm' }, '2026-01-31T13:45:00.000'],
  ['activities', 'date', '2026-01-31', { dateFormat: 'yyyy-MM-dd' }, '2026-01-31T00:00:00.000'],
  ['activities', 'date', '2026-01-31', {}, 'fault'],
  ['activities', 'date', '2026-01-31T13:45', { dateFormat: 'yyyy-MM-dd' }, 'fault'],
  ['activities', 'date', '12/31/2026 10:00:00', { dateFormat: 'dd/MM/yyyy HH:mm:ss' }, 'fault'],
  ['activities', 'date', '2026-12-31T10:00:00Z', { dateFormat: 'dd/MM/yyyy HH:mm:ss' }, '2026-12-31T10:00:00Z'],
  ['activities', 'date', '30.02.2026', { dateFormat: 'dd.MM.yyyy' }, 'fault'],
  ['activities', 'date', '02/01/2026', { dateFormat: 'MM/dd/yyyy' }, '2026-02-01T00:00:00.000'],
  ['members', 'birthDate', '5.3.1980', { dateFormat: 'd.M.yyyy' }, '1980-03-05'],
])('a file of %s reads its column %s with %j by the mapping %j', async (kind, column, text, mapping, expected) => {
  expect(await cell(kind, column, text, mapping)).toEqual(expected);
});

test('a mapping that names one column or sets one field twice is refused, sent or kept', async () => {
  const admin = world.server.as('admin');
  const columns = [
    { column: 'B', field: 'balance:Points' },
    { column: ' B', field: 'firstName' },
  ];
  const constants = ['a', 'b'].map((value) => ({ field: 'program', value }));
  const twins = [
    [{ columns }, 'columns.1.column'],
    [{ constants }, 'constants.1.field'],
  ] as const;
  for (const [twice, path] of twins) {
    const { status, body } = await admin.post('/importmappings', { name: 'Twice', kind: 'members', ...twice });
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ path, kind: 'unique' })]]);
  }
  const once = await admin.post('/importmappings', { name: 'Once', kind: 'members', columns: columns.slice(0, 1) });
  expect(once.status).toBe(201);
  const changed = await admin.put(`/importmappings/${once.body._id}`, { columns });
  expect([changed.status, changed.body.errors]).toEqual([422, [expect.objectContaining({ kind: 'unique' })]]);
  const query = { kind: 'members', 'map[B]': 'balance:Points', 'map[ B]': 'firstName' };
  const sent = await post(query, 'loyaltyID,program,B\nTW-1,main,5\n');
  expect([sent.status, sent.body.errors]).toEqual([422, [expect.objectContaining({ kind: 'unique' })]]);
  expect(() => readRequestedMapping({ 'map[B]': 'a', 'map[B ]': 'b' }, 'csv')).toThrow();
});
