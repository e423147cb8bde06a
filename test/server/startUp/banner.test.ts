import { findGeneratedPassword } from '#platform/auth/generatedPassword';
import { banner } from '#server/startUp/banner';
import { openTestServices, type TestServices, testPassword } from '../../support/services';

const url = 'http://127.0.0.1:3000';

test('the banner shows a password that the service made, also in the lines to copy', () => {
  const text = banner({ url, username: 'admin', madePassword: 'made-by-us', isDemo: true });
  expect(text).toContain('Admin    admin / made-by-us');
  expect(text).toContain('{"username":"admin","password":"made-by-us"}');
});

test('the banner shows no other password, and its lines have a placeholder', () => {
  const text = banner({ url, username: 'admin', madePassword: undefined, isDemo: true });
  expect(text).toContain('Admin    admin / (the password that you chose)');
  expect(text).toContain('{"username":"admin","password":"PASSWORD"}');
});

describe('a generated password', () => {
  let services: TestServices;
  beforeAll(async () => {
    services = await openTestServices();
  });
  afterAll(() => services.close());

  test.each([
    ['is shown while it is the password of the first user', 'founder@test', testPassword, testPassword],
    ['is not shown when the user has another', 'founder@test', 'made-by-us', undefined],
    ['is not shown when there is no such user', 'nobody', testPassword, undefined],
    ['does not exist when one was chosen', 'founder@test', undefined, undefined],
  ])('%s', async (_name, username, made, shown) => {
    expect(await findGeneratedPassword(services.db, username, made)).toBe(shown);
  });
});
