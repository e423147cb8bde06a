import { type ActivityApi, activityApi } from '../../activities/activityApi';
import type { Client } from '../../support/client';
import { earnRule, openWorld, type World } from '../../support/world';

let world: World;
let acting: ActivityApi;
let api: Client;

/** Three records in each collection, with the numbers 5, 6 and 7. */
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
  api = world.server.as('admin');
  for (const value of [5, 6, 7]) {
    const member = await world.addMember({ firstName: `Ada ${value}`, ext: { number: value } });
    await acting.processed('Accrual', member._id, { value, srcChannelID: `till ${value}` });
    const members = [{ member: member._id, program: world.program._id }];
    await api.post('/accounts', { members, ext: { name: `home ${value}`, number: value } });
  }
  await api.post('/jobs/aggregates/run');
});
afterAll(() => world.close());

interface Collection {
  path: string;
  /** The field with the values 5, 6 and 7. */
  number: string;
  text: string;
  /** A reference, and a field of the populated record. */
  ref: string;
  shows: string;
  /** A query that selects the three records. */
  only?: object;
}

const aggregates = (path: string): Collection => ({
  path,
  number: 'metricAggValue',
  text: 'metricName',
  ref: 'memberId',
  shows: 'loyaltyID',
  only: { metricName: 'spend' },
});

const collections: Collection[] = [
  { path: '/accrualitems', number: 'accruedPoints', text: 'purseName', ref: 'purse', shows: 'clawback' },
  { path: '/activityhistories', number: 'value', text: 'srcChannelID', ref: 'memberID', shows: 'loyaltyID' },
  { path: '/accounts', number: 'ext.number', text: 'ext.name', ref: 'activeMember', shows: 'loyaltyID' },
  { path: '/members', number: 'ext.number', text: 'firstName', ref: 'program', shows: 'timezone' },
  ...['daily', 'weekly', 'monthly', 'quarterly', 'halfyear', 'year', 'lifetime'].map((period) =>
    aggregates(`/${period}aggregates`),
  ),
];

type Row = Record<string, unknown>;
const at = (row: Row, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Row | undefined)?.[name], row);

describe.each(collections.map((collection) => [collection.path, collection] as const))('%s', (_path, collection) => {
  const { path, number, text, ref, shows, only = {} } = collection;
  const read = async (args: Record<string, string>, query: object = {}, suffix = '') => {
    const search = new URLSearchParams({ query: JSON.stringify({ ...only, ...query }), ...args });
    const { status, body } = await api.get(`${path}${suffix}?${search}`);
    expect({ status, ...(status === 200 ? {} : body) }).toEqual({ status: 200 });
    return body;
  };
  const numbers = async (args: Record<string, string>, query?: object) =>
    (await read(args, query)).map((row: Row) => at(row, number));

  test('/count answers how many', async () => {
    expect(await read({}, {}, '/count')).toEqual({ count: 3 });
  });

  test('query takes a JSON object with operators', async () => {
    expect((await numbers({}, { [number]: { $gt: 5 } })).sort()).toEqual([6, 7]);
    expect(await numbers({}, { $or: [{ [number]: { $lte: 5 } }, { [number]: 99 }] })).toEqual([5]);
    expect(await read({}, { [text]: { $regex: '^nothing' } })).toEqual([]);
  });

  test.each([
    ['6', [6]],
    ['>6', [7]],
    ['>=6', [6, 7]],
    ['<6', [5]],
    ['<=6', [5, 6]],
    ['!=6', [5, 7]],
  ])('a field takes the shorthand %s', async (value, expected) => {
    expect((await numbers({ [number]: value })).sort()).toEqual(expected);
  });

  test('a field takes the shorthand ~', async () => {
    const [first] = await read({});
    const value = String(at(first, text));
    expect(await read({ [text]: `~^${value.slice(0, 3).toUpperCase()}` })).toHaveLength(3);
  });

  test('select includes and excludes fields', async () => {
    for (const select of [number, JSON.stringify({ [number]: 1 })]) {
      for (const row of await read({ select }))
        expect([at(row, number), row.org]).toEqual([expect.any(Number), undefined]);
    }
    for (const select of [`-${number}`, JSON.stringify({ [number]: 0 })]) {
      for (const row of await read({ select }))
        expect([at(row, number), row.org]).toEqual([undefined, expect.any(String)]);
    }
  });

  test('distinct answers each value once', async () => {
    expect(await read({ distinct: number })).toEqual([5, 6, 7]);
    expect(await read({ distinct: 'org' })).toEqual([world.author.org.toHexString()]);
  });

  test('populate answers the record in the place of its id', async () => {
    for (const row of await read({ populate: ref })) expect(at(row, ref)).toHaveProperty(shows);
  });

  test('sort, skip and limit order and cut', async () => {
    expect(await numbers({ sort: number })).toEqual([5, 6, 7]);
    expect(await numbers({ sort: `-${number}` })).toEqual([7, 6, 5]);
    expect(await numbers({ sort: JSON.stringify({ [number]: -1 }), skip: '1', limit: '1' })).toEqual([6]);
  });
});
