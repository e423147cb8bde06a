import { collectionOf } from '#base/db/collections';
import { apiKeyResource } from '#records/users/apiKey';
import { userResource } from '#records/users/user';
import { client } from '../../support/client';
import { serveTest } from '../../support/server';
import { makeTestOrg, openAlongside } from '../../support/services';
import { earnRule, openWorld, type World } from '../../support/world';
import { makeKey } from './makeKey';

/** What docs/design/apikeys.md says of the life of a key. */
let world: World;
/** Another process on the same stores. */
let beside: Awaited<ReturnType<typeof serveTest>>;
let services: Awaited<ReturnType<typeof openAlongside>>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  world.services.clock.set('2026-05-04T10:00:00.000Z');
  services = await openAlongside(world.services);
  beside = await serveTest({ ...services, org: world.services.org, users: world.services.users });
});
afterAll(async () => {
  await beside.close();
  await services.close();
  await world.close();
});

const admin = () => world.server.as('admin');
const ledgerAdmin = () => world.server.as('ledger-admin');
const make = (fields?: Record<string, unknown>) => makeKey(world.server.url, admin(), fields);
/** The same key at the other process. */
const elsewhere = (key: string) => client(beside.url, key);
const statusOf = async (key: string, url = world.server.url) => (await client(url, key).get('/myaccount')).status;

/** Every document of every collection, as text. */
async function everythingStored(): Promise<string> {
  const { db } = world.services.db;
  const every = (await db?.collections()) ?? [];
  const collections = every.filter(({ collectionName }) => !collectionName.startsWith('system.'));
  const all = await Promise.all(collections.map((each) => each.find().toArray()));
  return JSON.stringify(all);
}

describe('a key', () => {
  test('is shown once, and only its hash is stored', async () => {
    const { status, body, headers } = await admin().post('/apikeys', { name: 'Web shop', roles: ['client'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Web shop', roles: ['client'], permissions: [], prefix: `lk_${body._id}` });
    expect(body.key).toMatch(new RegExp(`^lk_${body._id}_[0-9A-Za-z]{39}$`));
    expect(headers.get('location')).toBe(`/api/v1/apikeys/${body._id}`);
    expect(headers.get('cache-control')).toBe('no-store');
    const secret = body.key.split('_')[2];
    const answers = [
      await admin().get(`/apikeys/${body._id}`),
      await admin().get('/apikeys'),
      await admin().get(`/apikeys?query=${encodeURIComponent('{"secrets.hash":{"$exists":true}}')}`),
      await admin().get('/apikeys?select=secrets'),
      await admin().get('/apikeys?distinct=secrets.hash'),
      await admin().put(`/apikeys/${body._id}`, { rateLimit: 9 }),
    ];
    for (const answer of answers)
      expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`${secret}|"(key|hash)":`));
    expect(await everythingStored()).not.toContain(secret);
  });

  test('has at least 192 random bits, and no two keys are equal', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => make()));
    // Behind the id, and before the six characters of the checksum.
    const random = keys.map(({ key }) => key.slice(28, -6));
    for (const text of random) expect(text.length * Math.log2(62)).toBeGreaterThan(192);
    expect(new Set(random).size).toBe(20);
  });

  test('is sent as Bearer, and /myaccount answers its name and permissions', async () => {
    const { body: made } = await admin().post('/apikeys', { name: 'Till', permissions: ['members:read'] });
    const { body } = await client(world.server.url, made.key).get('/myaccount');
    expect(body).toEqual({
      _id: made._id,
      org: made.org,
      username: 'Till',
      permissions: ['members:read'],
      apiKey: { name: 'Till', prefix: made.prefix },
    });
  });

  test('needs a name of its own and at least one permission', async () => {
    await admin().post('/apikeys', { name: 'Taken', roles: ['reader'] });
    const taken = await admin().post('/apikeys', { name: 'Taken', roles: ['reader'] });
    expect([taken.status, taken.body.errors[0]]).toMatchObject([422, { path: 'name', kind: 'unique' }]);
    const none = await admin().post('/apikeys', { name: 'Nothing' });
    expect([none.status, none.body.errors[0]]).toMatchObject([422, { path: 'roles', kind: 'required' }]);
  });

  test.each([
    ['an unknown permission', { permissions: ['members:read', 'members:shout'] }, 'permissions.1'],
    ['a permission of no resource', { permissions: ['constructor:read'] }, 'permissions.0'],
    ['an unknown role', { roles: ['root'] }, 'roles.0'],
    ['an end in the past', { roles: ['reader'], expiresAt: '2026-05-04T10:00:00.000Z' }, 'expiresAt'],
    ['no requests a minute', { roles: ['reader'], rateLimit: 0 }, 'rateLimit'],
    ['a prefix', { roles: ['reader'], prefix: 'lk_x' }, 'prefix'],
    ['a last use', { roles: ['reader'], lastUsedAt: '2026-01-01' }, 'lastUsedAt'],
    ['secrets', { roles: ['reader'], secrets: [{ hash: 'x' }] }, 'secrets'],
    ['a space around its name', { roles: ['reader'], name: ' a' }, 'name'],
    ['a long name', { roles: ['reader'], name: 'a'.repeat(61) }, 'name'],
  ])('is not made or changed with %s', async (_what, fields, path) => {
    const before = await collectionOf(world.services.db, apiKeyResource).countDocuments();
    const { status, body } = await admin().post('/apikeys', { name: 'Bad', ...fields });
    expect([status, body.errors.map((each: { path: string }) => each.path)]).toEqual([422, [path]]);
    expect(await collectionOf(world.services.db, apiKeyResource).countDocuments()).toBe(before);
    const { _id } = await make();
    const changed = await admin().put(`/apikeys/${_id}`, fields);
    expect([changed.status, changed.body.errors[0].path]).toEqual([422, path]);
  });

  test('ends at its expiry, in every process, and works again when it is prolonged', async () => {
    const { key, _id } = await make({ roles: ['reader'], expiresAt: '2026-05-04T11:00:00.000Z' });
    world.services.clock.set('2026-05-04T10:59:59.999Z');
    expect([await statusOf(key), await statusOf(key, beside.url)]).toEqual([200, 200]);
    world.services.clock.set('2026-05-04T11:00:00.000Z');
    expect([await statusOf(key), await statusOf(key, beside.url)]).toEqual([401, 401]);
    await admin().put(`/apikeys/${_id}`, { expiresAt: null });
    expect([await statusOf(key), await statusOf(key, beside.url)]).toEqual([200, 200]);
  });

  test('ends at once in every process when it is deleted, which frees its name', async () => {
    const { body } = await admin().post('/apikeys', { name: 'Old', roles: ['reader'] });
    expect(await statusOf(body.key, beside.url)).toBe(200);
    expect((await admin().delete(`/apikeys/${body._id}`)).status).toBe(204);
    expect([await statusOf(body.key), await statusOf(body.key, beside.url)]).toEqual([401, 401]);
    expect((await admin().get(`/apikeys/${body._id}`)).status).toBe(404);
    expect((await admin().post('/apikeys', { name: 'Old', roles: ['reader'] })).status).toBe(201);
  });

  test('gains and loses permissions at once when it is changed', async () => {
    const { key, _id } = await make({ permissions: ['members:read'] });
    const ask = async (path: string) => [
      (await client(world.server.url, key).get(path)).status,
      (await elsewhere(key).get(path)).status,
    ];
    expect(await ask('/programs')).toEqual([403, 403]);
    await admin().put(`/apikeys/${_id}`, { permissions: ['programs:read'] });
    expect([await ask('/programs'), await ask('/members')]).toEqual([
      [200, 200],
      [403, 403],
    ]);
  });

  test('outlives the user who made it', async () => {
    const { body } = await ledgerAdmin().post('/users', {
      username: 'maker',
      password: 'long enough',
      roles: ['admin'],
    });
    const { token } = (await world.server.anonymous.post('/login', { username: 'maker', password: 'long enough' }))
      .body;
    const { key } = await makeKey(world.server.url, client(world.server.url, token));
    await ledgerAdmin().put(`/users/${body._id}`, { roles: ['reader'] });
    expect(await statusOf(key)).toBe(200);
    await ledgerAdmin().delete(`/users/${body._id}`);
    expect(await statusOf(key)).toBe(200);
  });

  test('has no session and no password, so logging out and changing the password are 400', async () => {
    const { own } = await make();
    const change = { currentPassword: 'long enough', newPassword: 'long enough too' };
    for (const answer of [await own.get('/myaccount/logout'), await own.post('/users/me/password', change)]) {
      expect(answer).toBeRefused(400, 1210, { message: expect.stringContaining('API key') });
    }
    expect((await own.get('/myaccount')).status).toBe(200);
  });

  test('is 404 for another org, and works in its own org only', async () => {
    const other = await makeTestOrg(world.services, 'other-keys');
    const stranger = client(world.server.url, other.users['ledger-admin'].token);
    const { _id, own } = await make({ roles: ['client'] });
    const theirs = await makeKey(world.server.url, stranger, { roles: ['client'] });
    const answers = [
      await stranger.get(`/apikeys/${_id}`),
      await stranger.put(`/apikeys/${_id}`, { name: 'Mine' }),
      await stranger.post(`/apikeys/${_id}/rotate`, {}),
      await stranger.delete(`/apikeys/${_id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const member = await world.addMember();
    expect((await own.get(`/members/${member._id}`)).status).toBe(200);
    expect((await theirs.own.get(`/members/${member._id}`)).status).toBe(404);
  });

  test('is refused to an org that has 1,000 keys', async () => {
    const { users } = await makeTestOrg(world.services, 'full');
    const keys = collectionOf(world.services.db, apiKeyResource);
    const [sample] = await keys.find().limit(1).toArray();
    if (!sample) throw new RangeError('there is a key');
    const { _id, ...fields } = { ...sample, org: users.admin.principal.org };
    await keys.insertMany(Array.from({ length: 1000 }, (_, n) => ({ ...fields, name: `n${n}` })) as never);
    const full = await client(world.server.url, users.admin.token).post('/apikeys', { name: 'x', roles: ['reader'] });
    expect([full.status, full.body.errors[0]]).toMatchObject([422, { path: 'name', kind: 'maxItems' }]);
  });
});

describe('rotation', () => {
  const rotate = (id: string, body?: object) => admin().post(`/apikeys/${id}/rotate`, body);

  test('gives a new text at once, and the old one works until the overlap ends', async () => {
    const { key, _id } = await make();
    const { status, body } = await rotate(_id, { overlapSeconds: 60 });
    expect([status, body._id, body.prefix]).toEqual([200, _id, `lk_${_id}`]);
    expect(body.key).not.toBe(key);
    expect([await statusOf(key, beside.url), await statusOf(body.key, beside.url)]).toEqual([200, 200]);
    world.services.clock.advance(59_999);
    expect([await statusOf(key), await statusOf(body.key)]).toEqual([200, 200]);
    world.services.clock.advance(1);
    expect([await statusOf(key), await statusOf(body.key)]).toEqual([401, 200]);
  });

  test('without an overlap ends all older texts at once', async () => {
    const { key, _id } = await make();
    const second = (await rotate(_id, { overlapSeconds: 600 })).body.key;
    const third = (await rotate(_id)).body.key;
    expect([await statusOf(key), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
  });

  test('never prolongs an overlap that was given', async () => {
    const { key, _id } = await make();
    await rotate(_id, { overlapSeconds: 60 });
    const second = (await rotate(_id, { overlapSeconds: 600 })).body.key;
    world.services.clock.advance(60_000);
    expect([await statusOf(key), await statusOf(second)]).toEqual([401, 200]);
  });

  test('leaves at most five valid texts, and is refused beyond that', async () => {
    const { key, _id } = await make();
    for (let n = 0; n < 4; n += 1) expect((await rotate(_id, { overlapSeconds: 600 })).status).toBe(200);
    const refused = await rotate(_id, { overlapSeconds: 600 });
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'overlapSeconds']);
    expect(await statusOf(key)).toBe(200);
    expect((await rotate(_id, { overlapSeconds: 0 })).status).toBe(200);
    expect(await statusOf(key)).toBe(401);
  });

  test('by several requests at once answers keys that all work', async () => {
    const { _id } = await make();
    const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(_id, { overlapSeconds: 60 })));
    const keys = answers.filter(({ status }) => status === 200).map(({ body }) => body.key);
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(await statusOf(key)).toBe(200);
    for (const { status } of answers) expect([200, 503]).toContain(status);
  });

  test.each([-1, 2_592_001, 1.5, 'long'])('refuses an overlap of %s seconds', async (overlapSeconds) => {
    const { key, _id } = await make();
    const { status, body } = await rotate(_id, { overlapSeconds });
    expect([status, body.errors[0].path]).toEqual([422, 'overlapSeconds']);
    expect(await statusOf(key)).toBe(200);
  });
});

describe('a record that a key writes', () => {
  test('names the key, which populate shows, also after the key is renamed or deleted', async () => {
    const { body: made } = await admin().post('/apikeys', { name: 'Shop', roles: ['client'] });
    const own = client(world.server.url, made.key);
    const { body: member } = await own.post('/members', { program: world.program._id, loyaltyID: 'K-1' });
    expect(member.createdBy).toBe(made._id);
    const posted = await own.post('/activity', { type: 'Accrual', memberID: member._id, value: 5 });
    const place = `/activityhistories/${posted.body.result.data.activityId}?populate=createdBy`;
    expect((await admin().get(place)).body.createdBy).toMatchObject({ username: `key@${made._id}:Shop`, kind: 'key' });
    await admin().put(`/apikeys/${made._id}`, { name: 'Store' });
    await admin().delete(`/apikeys/${made._id}`);
    expect((await admin().get(place)).body.createdBy).toMatchObject({ username: `key@${made._id}:Store` });
  });

  test('belongs to a user that cannot be changed, deleted or used to log in', async () => {
    const { _id } = await make();
    const user = await collectionOf(world.services.db, userResource).findOne({ username: new RegExp(`^key@${_id}`) });
    expect([user?._id.toHexString(), user?.kind, user?.isActive, user?.roles, user?.passwordHash]).toEqual([
      _id,
      'key',
      false,
      [],
      undefined,
    ]);
    const password = 'a password for it';
    const answers = [
      await ledgerAdmin().put(`/users/${_id}`, { password, isActive: true, roles: ['ledger-admin'] }),
      await ledgerAdmin().delete(`/users/${_id}`),
    ];
    for (const { status, body } of answers) expect([status, body.errors[0].kind]).toEqual([422, 'inUse']);
    const login = await world.server.anonymous.post('/login', { username: user?.username ?? '', password });
    expect(login.status).toBe(401);
  });

  test('has a user name that no other user can take', async () => {
    const user = { username: `key@${'a'.repeat(24)}:x`, password: 'long enough' };
    const { status, body } = await admin().post('/users', user);
    expect([status, body.errors[0]]).toMatchObject([422, { path: 'username', kind: 'pattern' }]);
  });
});

describe('the last use', () => {
  const lastUse = async (id: string) => (await admin().get(`/apikeys/${id}`)).body.lastUsedAt;

  /** Waits until the use is stored, which happens after the answer. */
  async function noted(id: string, at: Date): Promise<void> {
    while ((await lastUse(id)) !== at.toISOString()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  test('is stored to the minute, and is no change of the record', async () => {
    const { _id, own } = await make();
    const before = await admin().get(`/apikeys/${_id}`);
    expect(before.body.lastUsedAt).toBeUndefined();
    const first = world.services.clock.now();
    await own.get('/myaccount');
    await noted(_id, first);
    world.services.clock.advance(59_999);
    for (let n = 0; n < 5; n += 1) await own.get('/myaccount');
    expect(await lastUse(_id)).toBe(first.toISOString());
    world.services.clock.advance(1);
    const second = world.services.clock.now();
    await own.get('/myaccount');
    await noted(_id, second);
    const { body, headers } = await admin().get(`/apikeys/${_id}`);
    expect([body.updatedAt, headers.get('etag')]).toEqual([before.body.updatedAt, before.headers.get('etag')]);
  });

  test('is written once for many requests to two processes', async () => {
    const { _id, key } = await make();
    const written = jest.fn();
    const collections = [world.services.db, services.db].map((db) => collectionOf(db, apiKeyResource));
    const stream = collections[0]?.watch([{ $match: { operationType: 'update' } }]);
    stream?.on('change', ({ documentKey }: never) => written(String((documentKey as { _id: unknown })._id)));
    const at = world.services.clock.now();
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => client(n % 2 ? beside.url : world.server.url, key).get('/myaccount')),
    );
    await noted(_id, at);
    // A later write of another key: all writes before it have been seen then.
    const marker = await make();
    await admin().put(`/apikeys/${marker._id}`, { rateLimit: 5 });
    while (!written.mock.calls.some(([id]) => id === marker._id))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await stream?.close();
    expect(written.mock.calls.filter(([id]) => id === _id)).toHaveLength(1);
  });
});
