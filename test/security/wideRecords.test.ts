import { randomUUID } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { newStamps } from '#base/db/records';
import { freeValuesMax } from '#base/schema/freeObject';
import { compileCheck } from '#base/schema/parse';
import { accountResource } from '#records/members/account';
import { memberResource } from '#records/members/member';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { slowness, slownessNow } from '../support/givenTime';
import { type MeasuredApi, startMeasuredApi } from '../support/measuredApi';
import { handlerOf, routeCases } from '../support/routeKinds';
import { sampleOf } from '../support/samples';
import { ofEachKind, share } from '../support/scale';
import { openWorld, type World } from '../support/world';

/**
 * docs/design/http.md: no request holds the event loop for more than 100 ms, however wide the records are that it reads
 * or writes. Some were stored before free fields had a bound.
 */
const heldMaxMs = 100;
/** As many values as a body may have, which a record of earlier versions may hold in `ext`. */
const earlierValues = 29_000;

let world: World;
let api: MeasuredApi;
beforeAll(async () => {
  world = await openWorld({ rules: [] });
  await storeWide(12, earlierValues);
  await storeWide(488, freeValuesMax);
  await storeAccounts();
  api = await startMeasuredApi({ ...world.services.config, ORG: world.services.org.code });
  await send('GET', '/members?limit=1');
});
afterAll(async () => {
  await api.stop();
  await world.close();
});

const numbers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_unused, n) => [`k${n}`, n]));

/** Stores members with so many values in `ext`, a few at a time. */
async function storeWide(count: number, values: number): Promise<void> {
  const { body } = await world.server
    .as('admin')
    .post('/members', { program: world.program._id, loyaltyID: randomUUID() });
  const members = collectionOf(world.services.db, memberResource);
  const stored = await members.findOne({ _id: new ObjectId(String(body._id)) });
  if (!stored) throw new Error('the member was not stored');
  const ext = numbers(values);
  for (let made = 0; made < count; made += 20) {
    const some = Array.from({ length: Math.min(20, count - made) }, () => {
      const id = randomUUID();
      return { ...stored, _id: new ObjectId(), loyaltyID: id, loyaltyIDs: [id], referralCode: id, ext: { ...ext, id } };
    });
    await members.insertMany(some);
  }
}

/** Stores an account of each of the members. */
async function storeAccounts(): Promise<void> {
  const { services, program } = world;
  const members = await collectionOf(services.db, memberResource)
    .find({}, { projection: { org: 1 } })
    .toArray();
  const stamps = newStamps(services.users.admin.principal, new Date());
  const accounts = members.map(({ _id }) => ({
    ...stamps,
    _id: new ObjectId(),
    activeMember: _id,
    version: 0,
    members: [{ member: _id, program: new ObjectId(String(program._id)) }],
  }));
  await collectionOf(services.db, accountResource).insertMany(accounts);
}

async function send(method: string, path: string, body?: string): Promise<number> {
  const answer = await fetch(`${api.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${world.services.users.admin.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.text();
  if (text === '') throw new Error('no answer');
  return answer.status;
}

/**
 * The longest time that a request held the loop, in milliseconds as on the reference machine; the best of three tries. A
 * request that took too long for a busy machine is tried again.
 */
async function heldBy(run: () => Promise<number>): Promise<{ ms: number; status: number }> {
  let best = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let attempt = 0; attempt < 3 && (best > heldMaxMs || status === 400); attempt += 1) {
    const { longestMs } = await api.during(async () => {
      status = await run();
    });
    best = Math.min(best, longestMs / Math.min(Math.max(slowness(), slownessNow()), 2 * slowness()));
  }
  return { ms: best, status };
}

test.each([
  ['a list', '/members?limit=1000'],
  ['a list in an order', '/members?limit=1000&sort=loyaltyID'],
  ['a list in another order', '/members?limit=1000&sort=ext.k5,loyaltyID'],
  ['the distinct values', '/members?distinct=ext&limit=100&query={"loyaltyID":{"$gt":"c"}}'],
  ['one list within another', '/members?limit=1000&select=ext'],
  ['references to them', '/accounts?populate=members.member'],
  ['an export as CSV', '/exports?kind=members&format=csv'],
  ['an export as NDJSON', '/exports?kind=members&format=ndjson'],
])('%s of wide records blocks the event loop for no more than 100 ms', async (_what, path) => {
  const { ms, status } = await heldBy(() => send('GET', path));
  expect([path, status]).toEqual([path, 200]);
  expect(ms).toBeLessThan(heldMaxMs);
});

describe('the event loop is blocked for no more than 100 ms', () => {
  /** 200 wide members, with those of earlier versions. */
  const wide = async () => {
    const members = await collectionOf(world.services.db, memberResource)
      .find({ 'ext.k999': { $exists: true } }, { projection: { org: 1 } })
      .sort({ _id: 1 })
      .limit(200)
      .toArray();
    return members.map(({ _id }) => _id.toHexString());
  };

  const post = async (path: string, body: object) => {
    const { token } = world.services.users['ledger-admin'];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(text.slice(0, 500));
    return answer.status;
  };

  test('by items of wide members in bulk', async () => {
    const items = (await wide()).map((member) => ({ member, purse: 'Points', points: 1 }));
    const { ms } = await heldBy(() => post('/accrualitems/bulk', items));
    expect(ms).toBeLessThan(heldMaxMs);
  }, 60_000);

  test('by activities of many wide members at once', async () => {
    const members = await wide();
    const { ms } = await heldBy(async () => {
      const posted = members.map((memberID) => post('/activity', { type: 'Accrual', memberID, value: 1 }));
      return (await Promise.all(posted))[0] ?? 0;
    });
    expect(ms).toBeLessThan(heldMaxMs);
  }, 60_000);
});

test('a bulk post of the widest accepted records blocks the event loop for no more than 100 ms', async () => {
  const rows = () =>
    JSON.stringify(
      Array.from({ length: 1000 }, () => ({
        program: world.program._id,
        loyaltyID: randomUUID(),
        ext: Array.from({ length: freeValuesMax }, () => 0).reduce<Record<string, number>>(
          (all, _zero, n) => Object.assign(all, { [n.toString(36)]: n % 10 }),
          {},
        ),
      })),
    );
  const { ms, status } = await heldBy(() => send('POST', '/members/bulk', rows()));
  expect(status).toBe(200);
  expect(ms).toBeLessThan(heldMaxMs);
});

describe('free fields', () => {
  const withExt = routeCases(
    ({ body, query = {} }) =>
      body?.properties?.ext?.['x-free'] && !Object.values(query).some(({ required }) => required),
  );

  test('are in the bodies of many routes', () => expect(withExt.length).toBeGreaterThan(20));

  const nested = { a: Array.from({ length: freeValuesMax / 2 }, () => 0), b: numbers(freeValuesMax / 2) };
  const beyond = [numbers(freeValuesMax + 1), nested];

  test('of every body accept no more than their bound', () => {
    for (const [name, { body }] of withExt) {
      const faultsOf = compileCheck(body ?? ({} as TSchema));
      const kinds = beyond.map((ext) => faultsOf({ ext }).find(({ path }) => path === 'ext')?.kind);
      expect([name, ...kinds]).toEqual([name, 'maxProperties', 'maxProperties']);
    }
  });

  test.each(ofEachKind(withExt, handlerOf))('%s accept no more than their bound', async (_name, { method }, path) => {
    for (const ext of beyond) {
      const address = path.replace(/:\w+/g, String(new ObjectId()));
      const { status, body } = await world.server.as('ledger-admin').send(method, address, { body: { ext } });
      const faults = (body.errors ?? []).filter(({ path: at }: { path: string }) => at === 'ext');
      if (status !== 404) expect([status, faults[0]?.kind]).toEqual([422, 'maxProperties']);
    }
  });

  test('of exactly the bound are accepted, and shown as they were sent', async () => {
    const body = { program: world.program._id, loyaltyID: randomUUID(), ext: numbers(freeValuesMax) };
    const made = await world.server.as('admin').post('/members', body);
    expect([made.status, made.body.ext]).toEqual([201, body.ext]);
  });

  test('that hold more since an earlier version can still be read, and sent back unchanged', async () => {
    const [wide] = (await world.server.as('admin').get('/members?limit=2&select=ext')).body.slice(1);
    expect(Object.keys(wide.ext).length).toBeGreaterThan(freeValuesMax);
    const { status } = await world.server.as('admin').put(`/members/${wide._id}`, { firstName: 'Ada' });
    expect(status).toBe(200);
  });
});

// The last: its definitions are so wide that posts, which read them all, take long.
describe('every list', () => {
  const withExt = resources.filter(({ shape }) => Object.hasOwn(shape.properties, 'ext'));
  const lists = allRoutes.filter(({ method, openQuery }) => method === 'GET' && openQuery);
  const wideLists = lists.filter(({ path }) => withExt.some((each) => `/${each.path}` === path));
  const reads = wideLists.flatMap(({ path }) => [`${path}?limit=250`, `${path}?limit=250&sort=-_id&select=ext,_id`]);
  const some = share(reads, 4);

  beforeAll(async () => {
    const ext = numbers(freeValuesMax);
    const stored = [memberResource.path, accountResource.path];
    const isRead = (path: string) => some.some((read) => read.startsWith(`/${path}?`));
    for (const resource of withExt.filter(({ path }) => !stored.includes(path) && isRead(path))) {
      const copies = Array.from({ length: 250 }, () => ({
        ...sampleOf(resource, world.services, new ObjectId()),
        ext,
      }));
      await world.services.db.collection<{ _id: ObjectId }>(resource.path).insertMany(copies);
    }
  }, 120_000);

  test('of records with free fields is tested', () => expect(wideLists.length).toBeGreaterThanOrEqual(8));

  test.each(some)('%s blocks the event loop for no more than 100 ms', async (path) => {
    const { ms, status } = await heldBy(() => send('GET', path));
    expect(status).toBe(200);
    expect(ms).toBeLessThan(heldMaxMs);
  });
});
