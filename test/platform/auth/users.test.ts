import { createOrg } from '#access/users/createOrg';
import { collectionOf } from '#base/db/collections';
import { auditResource } from '#records/users/auditEntry';
import { userResource } from '#records/users/user';
import { client } from '../../support/client';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const admin = () => server.as('admin');
const password = 'a good password';

async function make(username: string, roles: string[] = ['reader']): Promise<string> {
  const { body } = await server.as('ledger-admin').post('/users', { username, password, roles });
  return body._id;
}

describe('a user', () => {
  test('is made, logs in, is changed and deleted', async () => {
    const { status, body, headers } = await admin().post('/users', { username: 'ann', password, roles: ['client'] });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/v1/users/${body._id}`);
    expect((await server.anonymous.post('/login', { username: 'ann', password })).status).toBe(200);
    const changed = await admin().put(`/users/${body._id}`, { username: 'anna' });
    expect(changed.body).toMatchObject({ username: 'anna', roles: ['client'], isActive: true });
    expect((await admin().delete(`/users/${body._id}`)).status).toBe(204);
    expect((await admin().get(`/users/${body._id}`)).status).toBe(404);
  });

  test('has a password that is stored as an argon2id hash and never answered', async () => {
    const answers = [
      await admin().post('/users', { username: 'hidden', password }),
      await admin().get('/users?username=hidden'),
      await admin().get('/users?username=hidden&select=passwordHash'),
      await admin().get('/users?distinct=passwordHash'),
      await admin().get('/users?query={"passwordHash":{"$exists":true}}'),
      await admin().get('/users?sort=passwordHash'),
    ];
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/argon2|a good password/);
    const stored = await collectionOf(server.services.db, userResource).findOne({ username: 'hidden' });
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$/);
  });

  test('has a username that nobody else has, in any org', async () => {
    await makeTestOrg(server.services, 'other');
    const { status, body } = await admin().post('/users', { username: 'admin@other', password });
    expect([status, body.errors[0]]).toMatchObject([
      422,
      { path: 'username', kind: 'unique', message: expect.any(String) },
    ]);
  });

  test.each([
    ['a short password', { password: 'short' }, 'password'],
    ['an unknown role', { roles: ['root'] }, 'roles.0'],
    ['a hash', { passwordHash: 'x' }, 'passwordHash'],
    ['another org', { org: 'a'.repeat(24) }, 'org'],
  ])('is not changed to %s', async (_name, body, path) => {
    const { _id } = (await admin().get('/users?username=reader@test')).body[0];
    const answer = await admin().patch(`/users/${_id}`, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path]);
  });
});

describe('nobody grants permissions that they do not have:', () => {
  test('an admin makes no ledger-admin', async () => {
    expect(await admin().post('/users', { username: 'x1', password, roles: ['ledger-admin'] })).toBeRefused(403, 1130);
  });

  test('an admin does not promote anybody to ledger-admin', async () => {
    const id = await make('plain');
    const own = server.services.users.admin.principal.userId.toHexString();
    for (const target of [id, own]) {
      const { status } = await admin().patch(`/users/${target}`, { roles: ['admin', 'ledger-admin'] });
      expect(status).toBe(403);
    }
  });

  test('an admin does not take over a ledger-admin', async () => {
    const id = await make('strong', ['ledger-admin']);
    expect((await admin().patch(`/users/${id}`, { password: 'mine from now on' })).status).toBe(403);
    expect((await admin().patch(`/users/${id}`, { roles: [] })).status).toBe(403);
    expect((await admin().delete(`/users/${id}`)).status).toBe(403);
    expect((await server.anonymous.post('/login', { username: 'strong', password })).status).toBe(200);
  });

  test('a ledger-admin makes a ledger-admin', async () => {
    expect(await make('second', ['ledger-admin'])).toMatch(/^[0-9a-f]{24}$/);
  });
});

describe('an org keeps an active admin:', () => {
  const soleAdmin = async (code: string) => {
    const { org, users } = await makeTestOrg(server.services, code);
    const all = collectionOf(server.services.db, userResource);
    await all.deleteMany({ org: org._id, username: { $nin: [`admin@${code}`, `client@${code}`] } });
    const id = users.admin.principal.userId.toHexString();
    return { id, org, own: client(server.url, users.admin.token) };
  };

  test('the last one is not deleted, demoted or deactivated', async () => {
    const { id, own } = await soleAdmin('sole');
    const answers = [
      await own.delete(`/users/${id}`),
      await own.patch(`/users/${id}`, { roles: ['reader'] }),
      await own.patch(`/users/${id}`, { isActive: false }),
    ];
    for (const { status, body } of answers) expect([status, body.errors[0].kind]).toEqual([422, 'inUse']);
    expect((await own.get('/users')).status).toBe(200);
  });

  test('two admins that remove each other at once leave one', async () => {
    const { id, org, own } = await soleAdmin('pair');
    const { body } = await own.post('/users', { username: 'second@pair', password, roles: ['admin'] });
    const login = await server.anonymous.post('/login', { username: 'second@pair', password });
    const second = client(server.url, login.body.token);
    await Promise.all([own.delete(`/users/${body._id}`), second.delete(`/users/${id}`)]);
    const left = { org: org._id, roles: 'admin', isActive: true } as const;
    expect(await collectionOf(server.services.db, userResource).countDocuments(left)).toBe(1);
  });
});

test('the system user of an org is not changed or deleted', async () => {
  const { body } = await admin().get('/users?username=system@test');
  expect((await admin().patch(`/users/${body[0]._id}`, { isActive: true })).status).toBe(422);
  expect((await admin().delete(`/users/${body[0]._id}`)).status).toBe(422);
});

test('no user takes the name of a system user, of this org or of one that is made later', async () => {
  const id = await make('renamed');
  const username = 'system@later';
  const refused = [
    await admin().post('/users', { username, password, roles: ['reader'] }),
    await admin().patch(`/users/${id}`, { username }),
  ];
  for (const { status, body } of refused) expect([status, body.errors[0].path]).toEqual([422, 'username']);
  const { db, clock } = server.services;
  await expect(createOrg(db, { code: 'other', admin: { username, password } }, clock.now())).rejects.toThrow();
  await createOrg(db, { code: 'later', admin: { username: 'later-admin', password } }, clock.now());
});

test('the audit log has who got permissions, and by whom', async () => {
  const id = await make('audited');
  await admin().patch(`/users/${id}`, { roles: ['admin'], password: 'another password' });
  const entries = await collectionOf(server.services.db, auditResource).find({ id }).sort({ seq: 1 }).toArray();
  const actual = entries.map(({ action, via, changed, after, user }) => [
    action,
    via,
    changed,
    after?.roles,
    String(user),
  ]);
  const { users } = server.services;
  expect(actual).toEqual([
    ['create', 'api', undefined, ['reader'], String(users['ledger-admin'].principal.userId)],
    ['update', 'api', ['passwordHash', 'roles'], ['admin'], String(users.admin.principal.userId)],
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/argon2|another password/);
});

test('every user may read their own account', async () => {
  const { body } = await server.as('client').get('/myaccount');
  expect(body).toMatchObject({ username: 'client@test', permissions: expect.arrayContaining(['activity:post']) });
});
