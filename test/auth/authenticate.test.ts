import { createAuthenticate } from '../../src/auth/authenticate';
import { openTestServices, type TestServices } from '../support/services';

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.close());

test('requests that wait together each get their own user', async () => {
  const authenticate = createAuthenticate(services);
  const { admin, reader } = services.users;
  const tokens = [admin, reader, admin].map(({ token }) => `Bearer ${token}`);
  const principals = await Promise.all(tokens.map(authenticate));
  expect(principals.map(({ username }) => username)).toEqual(['admin@test', 'reader@test', 'admin@test']);
});
