import { client } from '../../support/client';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const [before, after] = ['the password before', 'the password after'];

async function makeUser(username: string, role: string) {
  await server.as('ledger-admin').post('/users', { username, password: before, roles: [role] });
  const logIn = async (password: string) => (await server.anonymous.post('/login', { username, password })).body.token;
  return { logIn, as: (token: string) => client(server.url, token) };
}

const change = (currentPassword: string, newPassword: string) => ({ currentPassword, newPassword });

test.each(['reader', 'client', 'program-manager', 'admin'])('a %s changes the own password', async (role) => {
  const user = await makeUser(`own ${role}`, role);
  const [own, other] = [await user.logIn(before), await user.logIn(before)];
  const { status, body } = await user.as(own).post('/users/me/password', change(before, after));
  expect([status, body]).toEqual([200, { message: 'Password changed' }]);
  expect((await user.as(own).get('/myaccount')).status).toBe(200);
  expect((await user.as(other).get('/myaccount')).status).toBe(401);
  expect(await user.logIn(before)).toBeUndefined();
  expect(await user.logIn(after)).toEqual(expect.any(String));
});

test.each([
  ['a wrong current password', change('wrong', after), 401, 1110],
  ['a short new password', change(before, 'short'), 422, 1200],
  ['no current password', { newPassword: after }, 422, 1200],
  ['roles beside', { ...change(before, after), roles: ['admin'] }, 422, 1200],
])('%s is refused and changes nothing', async (name, body, status, code) => {
  const user = await makeUser(`refused ${name}`, 'reader');
  const token = await user.logIn(before);
  expect((await user.as(token).post('/users/me/password', body)).body).toMatchObject({ status, code });
  expect(await user.logIn(before)).toEqual(expect.any(String));
});

test('a stolen token finds the password out no faster than a login would', async () => {
  const user = await makeUser('stolen', 'reader');
  const thief = user.as(await user.logIn(before));
  const statuses = [];
  for (let n = 0; n < 11; n += 1) {
    statuses.push((await thief.post('/users/me/password', change(`guess ${n}`, after))).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  const right = await thief.post('/users/me/password', change(before, after));
  expect(right.status).toBe(429);
});
