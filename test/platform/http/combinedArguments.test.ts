import type { ObjectId } from 'bson';
import { newStamps } from '#base/db/records';
import { seededMemberId } from '#operations/seed/seededMember';
import { seedOrg } from '#operations/seed/seedOrg';
import { openTestServer } from '../../support/server';

type Row = Record<string, unknown>;

let server: Awaited<ReturnType<typeof openTestServer>>;
let member: ObjectId;
/** The stored records of the member, sorted by id, as JSON. */
const all: Record<string, Row[]> = {};

const colours = ['red', 'green', 'blue', 'grey', 'black', 'white', 'brown', 'pink'];

beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  await seedOrg(services.db, services.org, { members: 3, items: 45 }, services.clock.now());
  member = seededMemberId(services.org._id, 1);
  const stamps = () => newStamps(services.users.admin.principal, services.clock.now());
  const insert = (path: string, rows: Row[]) =>
    services.db.collection(path).insertMany(rows.map((row) => ({ ...stamps(), ...row })));
  await insert(
    'enums',
    colours.map((value, n) => ({ type: n % 2 === 0 ? 'Warm' : 'Cold', value, label: value.slice(0, 1), order: n % 3 })),
  );
  await insert('accounts', [{ members: [{ member, program: services.org._id }], activeMember: member, version: 1 }]);
  await insert(
    'monthlyaggregates',
    [1, 2, 3, 4].map((month) => ({
      metricName: month % 2 === 0 ? 'visits' : 'spend',
      memberId: member,
      year: 2025,
      month,
      metricAggValue: month,
    })),
  );
  const own = { accrualitems: { member }, journal: { member }, activityhistories: { memberID: member }, enums: {} };
  for (const [path, filter] of Object.entries(own)) {
    const rows = await services.db.collection(path).find(filter).sort({ _id: 1 }).toArray();
    all[path] = JSON.parse(JSON.stringify(rows));
  }
});
afterAll(() => server.close());

const get = async (path: string) => {
  const { status, body, headers } = await server.as('admin').get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return { body, link: headers.get('link') };
};
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const rows = (path: string, keep: (row: Row) => boolean = () => true) => (all[path] ?? []).filter(keep);
const pick = (names: string[]) => (row: Row) => Object.fromEntries(names.map((name) => [name, row[name]]));
/** Compares by a number or text field. Equal values keep the order by id, because the list is sorted by id already. */
const by = (name: string, sign: 1 | -1) => (a: Row, b: Row) => {
  const [x, y] = [a[name] as number, b[name] as number];
  return x === y ? 0 : x < y ? -sign : sign;
};
const above = (name: string, bound: number) => (row: Row) => (row[name] as number) > bound;

/** A read with many arguments, and the stored records that it must answer. */
const reads: [string, () => string, () => unknown[]][] = [
  [
    'query, field, select, sort, skip and limit of enums',
    () =>
      `/enums?type=Warm&query=${json({ order: { $gte: 1 } })}&select=${json({ value: 1, _id: 0 })}&sort=-order&skip=1&limit=2`,
    () =>
      rows('enums', (row) => row.type === 'Warm' && above('order', 0)(row))
        .sort(by('order', -1))
        .slice(1, 3)
        .map(pick(['value'])),
  ],
  [
    'query and the shorthand of the same field of items',
    () =>
      `/accrualitems?member=${member}&accruedPoints=>40&query=${json({ accruedPoints: { $lt: 200 } })}&select=accruedPoints`,
    () =>
      rows('accrualitems', (row) => above('accruedPoints', 40)(row) && !above('accruedPoints', 199)(row)).map(
        pick(['_id', 'accruedPoints']),
      ),
  ],
  [
    'a sort by a field that is not selected',
    () => `/accrualitems?member=${member}&select=accruedPoints&sort=dtEarned`,
    () =>
      rows('accrualitems')
        .sort(by('dtEarned', 1))
        .map(pick(['_id', 'accruedPoints'])),
  ],
  [
    'two fields, select by exclusion, sort and limit of histories',
    () =>
      `/activityhistories?memberID=${member}&type=Redemption&value=>1&sort=-date&select=-result,-ruleMatch,-lineItems&limit=1`,
    () =>
      rows('activityhistories', (row) => row.type === 'Redemption')
        .sort(by('date', -1))
        .slice(0, 1)
        .map(({ result: _result, ruleMatch: _match, lineItems: _items, effects: _hidden, ...rest }) => rest),
  ],
  [
    'a negated field, sort by two keys, skip and limit of the journal',
    () => `/journal?member=${member}&kind=!=accrue&sort=kind,-seq&skip=1&limit=4&select=kind,seq`,
    () =>
      rows('journal', (row) => row.kind !== 'accrue')
        .sort(by('seq', -1))
        .sort(by('kind', 1))
        .slice(1, 5)
        .map(pick(['_id', 'kind', 'seq'])),
  ],
  [
    'query and fields of aggregates',
    () =>
      `/monthlyaggregates?query=${json({ memberId: member })}&metricName=visits&year=2025&sort=-month&limit=1&select=${json({ month: 1, metricAggValue: 1, _id: 0 })}`,
    () => [{ month: 4, metricAggValue: 4 }],
  ],
  [
    'distinct with query, field, sort, skip and limit',
    () => `/enums?distinct=label&type=Warm&query=${json({ order: { $in: [0, 1, 2] } })}&sort=-label&skip=1&limit=2`,
    () =>
      [...new Set(rows('enums', (row) => row.type === 'Warm').map(({ label }) => String(label)))]
        .sort()
        .reverse()
        .slice(1, 3),
  ],
  [
    'distinct of two fields with a shorthand and sort',
    () => '/enums?distinct=type,order&value=~^b&sort=-order,type',
    // blue, black and brown.
    () => [2, 1, 0].map((order) => ({ type: 'Warm', order })),
  ],
];

it.each(reads)('reads combine %s', async (_name, path, meant) => {
  const expected = meant();
  expect(expected).not.toEqual([]);
  expect((await get(path())).body).toEqual(expected);
});

describe('populate', () => {
  it('works together with select, sort and limit', async () => {
    const path = `/accrualitems?member=${member}&populate=purse,member&select=accruedPoints&sort=-accruedPoints&limit=2`;
    const top = rows('accrualitems').sort(by('accruedPoints', -1)).slice(0, 2);
    const { body } = await get(path);
    expect(body.map(({ _id, accruedPoints }: Row) => ({ _id, accruedPoints }))).toEqual(
      top.map(pick(['_id', 'accruedPoints'])),
    );
    expect(body.map(({ purse, member: who }: Record<string, Row>) => [purse?.name, who?.loyaltyID])).toEqual([
      ['Points', 'SEED-1'],
      ['Points', 'SEED-1'],
    ]);
    expect(Object.keys(body[0]).sort()).toEqual(['_id', 'accruedPoints', 'member', 'purse']);
  });

  it('does not bring back what select leaves out', async () => {
    const { body } = await get(`/accrualitems?member=${member}&populate=purse&select=-purse&limit=1`);
    expect(body[0]).not.toHaveProperty('purse');
  });

  it('reaches into lists, with a filter on the same list', async () => {
    const { body } = await get(`/accounts?members.member=${member}&populate=members.member&select=members`);
    expect(body).toMatchObject([{ members: [{ member: { loyaltyID: 'SEED-1' } }] }]);
  });

  it('works with select on one record', async () => {
    const [first] = rows('accrualitems');
    const { body } = await get(`/accrualitems/${first?._id}?populate=program&select=program,state`);
    expect(body).toMatchObject({ _id: first?._id, state: first?.state, program: { code: 'seed' } });
    expect(Object.keys(body)).toHaveLength(3);
  });
});

describe('a count', () => {
  it.each([
    ['query', () => `query=${json({ accruedPoints: { $gt: 40 } })}`, above('accruedPoints', 40)],
    ['a field', () => 'accruedPoints=>40', above('accruedPoints', 40)],
    [
      'both',
      () => `accruedPoints=>40&query=${json({ state: 'available' })}`,
      (row: Row) => above('accruedPoints', 40)(row) && row.state === 'available',
    ],
    [
      'a page, an order and a selection, which do not matter',
      () => 'skip=5&limit=1&sort=-dtEarned&select=state',
      () => true,
    ],
  ])('counts by %s', async (_name, args, keep) => {
    const { body } = await get(`/accrualitems/count?member=${member}&${args()}`);
    expect(body).toEqual({ count: rows('accrualitems', keep).length });
    expect(body.count).toBeGreaterThan(0);
  });
});

describe('a count with distinct', () => {
  it.each([
    ['a field', 'distinct=label', 5],
    ['a field of some records', 'distinct=label&type=Warm', 2],
    ['combinations', 'distinct=type,order', 6],
    ['combinations, one argument for each field', 'distinct=type&distinct=order', 6],
    ['no record', 'distinct=label&type=none', 0],
    ['a page and an order, which do not matter', 'distinct=label&sort=-label&skip=2&limit=1', 5],
  ])('counts the values that the list has: %s', async (_name, args, expected) => {
    const { body: values } = await get(`/enums?${args.replace(/&skip.*/, '')}`);
    expect(values).toHaveLength(expected);
    expect((await get(`/enums/count?${args}`)).body).toEqual({ count: expected });
  });

  it('counts more values than a list answers', async () => {
    const { services } = server;
    const stamps = () => newStamps(services.users.admin.principal, services.clock.now());
    const many = Array.from({ length: 1203 }, (_unused, n) => ({ ...stamps(), sku: `s${n}`, name: `${n % 1100}` }));
    await services.db.collection('products').insertMany(many);
    expect((await get('/products?distinct=name')).body).toHaveLength(1000);
    expect((await get('/products/count?distinct=name')).body).toEqual({ count: 1100 });
    expect((await get('/products/count')).body).toEqual({ count: 1203 });
  });

  it('refuses what the list refuses', async () => {
    for (const args of ['distinct=label&sort=order', 'distinct=nothing', 'distinct=']) {
      const [list, count] = [`/enums?${args}`, `/enums/count?${args}`].map((path) => server.as('admin').get(path));
      expect([(await list)?.status, (await count)?.status]).toEqual([400, 400]);
    }
  });
});

it('the links of full pages lead to every record once, with all other arguments', async () => {
  const seen: Row[] = [];
  let next: string | undefined = `/enums?type=~warm|cold&sort=order&select=value&limit=3`;
  while (next !== undefined) {
    const page: Awaited<ReturnType<typeof get>> = await get(next);
    seen.push(...page.body);
    next = /<\/api\/v1(\/[^>]+)>; rel="next"/.exec(page.link ?? '')?.[1];
  }
  expect(seen).toEqual(
    rows('enums')
      .sort(by('order', 1))
      .map(pick(['_id', 'value'])),
  );
});
