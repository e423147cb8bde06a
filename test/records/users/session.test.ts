import { client } from '../../support/client';
import { openTestServer, serveTest } from '../../support/server';
import { makeTestUser, openAlongside, testPassword } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
let other: { url: string; close(): Promise<void> };
beforeAll(async () => {
  server = await openTestServer();
  const { org, users } = server.services;
  const services = await openAlongside(server.services);
  const serving = await serveTest({ ...services, org, users });
  const close = async () => {
    await serving.close();
    await services.close();
  };
  other = { url: serving.url, close };
});
afterAll(async () => {
  await other.close();
  await server.close();
});

let count = 0;
/** A new user with two sessions. */
async function freshUser() {
  count += 1;
  const user = await makeTestUser(server.services, server.services.org, `user${count}`, ['reader']);
  const { body } = await server.anonymous.post('/login', { username: user.username, password: testPassword });
  return {
    id: user.principal.userId.toHexString(),
    username: user.username,
    first: user.token,
    second: String(body.token),
  };
}

/** The statuses that both processes answer for a token. */
async function statuses(token: string): Promise<number[]> {
  const answers = await Promise.all([server.url, other.url].map((url) => client(url, token).get('/myaccount')));
  return answers.map(({ status }) => status);
}

const change = (id: string, body: object) => server.as('admin').patch(`/users/${id}`, body);

test('logging out ends the session at once in every process, and no other session', async () => {
  const { first, second } = await freshUser();
  const { status, body } = await client(server.url, first).get('/myaccount/logout');
  expect([status, typeof body.message]).toEqual([200, 'string']);
  expect(await statuses(first)).toEqual([401, 401]);
  expect(await statuses(second)).toEqual([200, 200]);
});

test('deactivating a user ends all sessions at once, and activating does not bring them back', async () => {
  const { id, first } = await freshUser();
  expect((await change(id, { isActive: false })).status).toBe(200);
  expect(await statuses(first)).toEqual([401, 401]);
  await change(id, { isActive: true });
  expect(await statuses(first)).toEqual([401, 401]);
});

test('a changed role counts from the next request, in every process', async () => {
  const { id, first } = await freshUser();
  const read = async () => (await client(other.url, first).get('/journal')).status;
  expect(await read()).toBe(200);
  await change(id, { roles: [] });
  expect(await read()).toBe(403);
  await change(id, { roles: ['client'] });
  expect(await read()).toBe(200);
});

test('a password that an admin sets ends the sessions of the user', async () => {
  const { id, first, second, username } = await freshUser();
  await change(id, { password: 'another password' });
  expect(await statuses(first)).toEqual([401, 401]);
  expect(await statuses(second)).toEqual([401, 401]);
  const { status } = await server.anonymous.post('/login', { username, password: 'another password' });
  expect(status).toBe(200);
});

test('changing their own password ends the other sessions of a user, not the present one', async () => {
  const { services } = server;
  const admin = await makeTestUser(services, services.org, 'self', ['admin']);
  const { body } = await server.anonymous.post('/login', { username: 'self', password: testPassword });
  const own = client(server.url, body.token);
  expect(
    (await own.patch(`/users/${admin.principal.userId.toHexString()}`, { password: 'another password' })).status,
  ).toBe(200);
  expect(await statuses(body.token)).toEqual([200, 200]);
  expect(await statuses(admin.token)).toEqual([401, 401]);
});

test('a deleted user has no session', async () => {
  const { id, first } = await freshUser();
  expect((await server.as('admin').delete(`/users/${id}`)).status).toBe(204);
  expect(await statuses(first)).toEqual([401, 401]);
});
