import { collectionOf } from '#base/db/collections';
import { reconcile } from '#members/reconcile/reconcile';
import { memberResource } from '#records/members/member';
import { journalResource } from '#records/points/journal';
import { openWorld, type World } from '../../support/world';
import { importing } from './importing';

let world: World;
let imports: ReturnType<typeof importing>;
beforeAll(async () => {
  world = await openWorld({ rules: [], policies: [{ primary: true }, { name: 'Stars' }] });
  const { status } = await world.server.as('admin').post('/tierpolicies', {
    program: world.program._id,
    name: 'Status',
    basis: { metric: 'spend', period: 'year' },
    levels: [
      { number: 1, name: 'Blue', threshold: 500 },
      { number: 2, name: 'Gold', threshold: 1000 },
    ],
  });
  expect(status).toBe(201);
  imports = importing(world);
});
afterAll(() => world.close());

const memberOf = (loyaltyID: string) => collectionOf(world.services.db, memberResource).findOne({ loyaltyID });
const agrees = async () =>
  expect(await reconcile(world.services, { onMismatch: () => undefined })).toMatchObject({ mismatches: 0 });
const counts = (some: object) => ({ rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0, ...some });

const file = [
  'loyaltyID,program,firstName,phone,birthDate,address.city,ext.color,balance:Points,balance:Stars,tier:Status',
  'A-1,main,Mei,+47 123,1990-02-01,Oslo,red,500,3,Gold',
  'A-2,main,"Kim ""K"" Lee",,,,,,,',
  'A-3,main,"two\nlines",,,,,0,7,',
].join('\n');

test('a CSV file creates members with fields, points and levels, each award journalled', async () => {
  const { counts: counted, end, errors } = await imports.imported({ kind: 'members', content: file });
  expect({ end, errors, told: counted }).toMatchObject({ end: 'Done', told: counts({ rows: 3, created: 3 }) });
  const member = await memberOf('A-1');
  expect(member).toMatchObject({
    firstName: 'Mei',
    phone: '+47 123',
    birthDate: '1990-02-01',
    address: { city: 'Oslo' },
    ext: { color: 'red' },
    status: 'Active',
    seq: 2,
    tiers: [{ name: 'Status', level: { name: 'Gold' } }],
  });
  expect(member?.purses.map(({ availBalance }) => availBalance)).toEqual([500, 3]);
  expect((await memberOf('A-2'))?.firstName).toBe('Kim "K" Lee');
  expect((await memberOf('A-3'))?.firstName).toBe('two\nlines');
  const entries = await collectionOf(world.services.db, journalResource).find().toArray();
  expect(entries.map(({ kind }) => kind)).toEqual(['adjust', 'adjust', 'adjust']);
  await agrees();
});

test('an unchanged file changes nothing when it is imported again', async () => {
  const hash = async () => (await world.services.db.db?.command({ dbHash: 1 }))?.collections;
  const before = await hash();
  const { counts: counted } = await imports.imported({ kind: 'members', content: file });
  expect(counted).toEqual(counts({ rows: 3, unchanged: 3 }));
  const after = await hash();
  for (const name of ['members', 'accrualitems', 'journal', 'tierhistories', 'metricevents', 'submissions']) {
    expect([name, after[name]]).toEqual([name, before[name]]);
  }
});

test('a changed row changes its member; a missing balance is added, another one is refused', async () => {
  const changed = [
    'loyaltyID,program,firstName,balance:Points,tier:Status',
    'A-1,main,May,500,Gold',
    'A-2,main,,40,',
    'A-3,main,Lo,,',
    'A-1,main,,600,',
  ];
  const { counts: counted, errors } = await imports.imported({ kind: 'members', content: changed.join('\r\n') });
  expect(counted).toEqual(counts({ rows: 4, updated: 3, failed: 1 }));
  expect(errors.split('\n').slice(0, 2)).toEqual([
    '#line,#fault,loyaltyID,program,firstName,balance:Points,tier:Status',
    '5,balance:Points was imported with 500 points before (unique),A-1,main,,600,',
  ]);
  expect((await memberOf('A-1'))?.firstName).toBe('May');
  expect((await memberOf('A-2'))?.purses.map(({ availBalance }) => availBalance)).toEqual([40, 0]);
  await agrees();
});

test('rows are refused as single posts are, with their line; the others are imported; the file of failed rows can be corrected', async () => {
  const rows = [
    'loyaltyID,program,email,birthDate,segments,status,balance:Points,balance:None,tier:Status',
    'F-1,main,no address,,,,,,',
    'F-2,main,,2999-01-01,,,,,',
    `F-3,main,,,"[""${world.program._id}""]",,,,`,
    'F-4,none,,,,,,,',
    'F-5,main,,,,Erased,,,',
    'F-6,main,,,,,1.5,,',
    'F-7,main,,,,,,5,',
    'F-8,main,,,,,,,Silver',
    ',main,,,,,,,',
    'F-10,main,,',
    'F-11,main,=1+1,,,,,,',
    'F-12,main,f12@x.example,,,,12,,Blue',
  ];
  const { counts: counted, errors } = await imports.imported({ kind: 'members', content: rows.join('\n') });
  expect(counted).toEqual(counts({ rows: 12, created: 1, failed: 11 }));
  const lines = errors.trim().split('\n').slice(1);
  const faults = lines.map((line) => line.split(',').slice(0, 2).join(' ').replace(/"/g, ''));
  expect(faults).toEqual([
    expect.stringMatching(/^2 email must match format/),
    expect.stringMatching(/^3 birthDate must not be in the future \(date\)/),
    expect.stringMatching(/^4 segments.0 is not an existing record \(reference\)/),
    expect.stringMatching(/^5 program is neither the id nor the code of a program \(reference\)/),
    expect.stringMatching(/^6 status must be one of/),
    expect.stringMatching(/^7 balance:Points must be a whole number/),
    expect.stringMatching(/^8 balance:None is no purse policy of the program \(reference\)/),
    expect.stringMatching(/^9 tier:Status is no level of this tier policy \(reference\)/),
    expect.stringMatching(/^10 loyaltyID is required/),
    expect.stringMatching(/^11 has 4 cells/),
    expect.stringMatching(/^12 email must match format/),
  ]);
  expect(lines[10]).toContain("'=1+1,");
  // The corrected file of failed rows is imported as it is.
  const corrected = errors.replace('no address', 'a@b.example').replace('F-10,main,,', 'F-10,main,,,,,,,');
  const again = await imports.imported({ kind: 'members', content: corrected });
  expect(again.counts).toEqual(counts({ rows: 11, created: 2, failed: 9 }));
  // So is the file of what failed again.
  expect(again.errors.split('\n')[0]).toBe(errors.split('\n')[0]);
  const third = await imports.imported({ kind: 'members', content: again.errors });
  expect(third.counts).toEqual(counts({ rows: 9, failed: 9 }));
  await agrees();
});

test('a dry run counts what a run would do, and stores nothing', async () => {
  const count = () => collectionOf(world.services.db, memberResource).countDocuments({});
  const before = await count();
  const content =
    'loyaltyID,program,firstName,balance:Points\nD-1,main,Di,5\nA-1,main,Other,500\nA-2,main,,40\nD-2,x,,';
  const { counts: counted } = await imports.imported({ kind: 'members', content, dryRun: true });
  expect(counted).toEqual(counts({ rows: 4, created: 1, updated: 1, unchanged: 1, failed: 1 }));
  expect(await count()).toBe(before);
  expect((await memberOf('A-1'))?.firstName).toBe('May');
});

test('an NDJSON file has the effect of a CSV file', async () => {
  const rows = [
    { loyaltyID: 'N-1', program: 'main', firstName: 'Nia', ext: { size: 3 }, 'balance:Points': 5 },
    { loyaltyID: 'N-2', program: 'main', version: 9, purses: [] },
    { loyaltyID: 'N-3', program: 'main', color: 'red' },
  ].map((row) => JSON.stringify(row));
  const content = ['', rows[0], rows[1], '  ', 'no json', '[1]', rows[2], '{"__proto__":{}}', '{"a":'].join('\n');
  const { counts: counted, errors } = await imports.imported({ kind: 'members', format: 'ndjson', content });
  expect(counted).toEqual(counts({ rows: 7, created: 2, failed: 5 }));
  expect(await memberOf('N-1')).toMatchObject({
    firstName: 'Nia',
    ext: { size: 3 },
    purses: [{ availBalance: 5 }, {}],
  });
  const failed = errors
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(failed.map((row) => row['#line'])).toEqual([5, 6, 7, 8, 9]);
  expect(failed[2]).toMatchObject({
    loyaltyID: 'N-3',
    color: 'red',
    '#errors': [{ path: 'color', kind: 'additionalProperties' }],
  });
  expect(failed[0]).toMatchObject({ '#row': 'no json' });
});

test('points and levels need the permission of the ledger', async () => {
  const content = 'loyaltyID,program,balance:Points\nP-1,main,5';
  const { status, body } = await imports.post({ kind: 'members', content, role: 'admin' });
  expect({ status, body }).toBeRefused(403, 1130);
  const row = JSON.stringify({ loyaltyID: 'P-1', program: 'main', 'balance:Points': 5 });
  const { status: accepted, body: job } = await imports.post({
    kind: 'members',
    format: 'ndjson',
    content: row,
    role: 'admin',
  });
  expect(accepted).toBe(202);
  await imports.run();
  expect(await imports.read(job._id)).toMatchObject({ failed: 1, created: 0 });
});
