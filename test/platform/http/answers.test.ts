import { client } from '../../support/client';
import { openTestServer } from '../../support/server';
import { testPassword } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ corsOrigins: ['https://console.example'] });
});
afterAll(() => server.close());

describe('a path', () => {
  test('that is not known answers 404 with code 1500 as JSON', async () => {
    const { status, body, headers } = await server.anonymous.get('/nothing');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 1500, status: 404, requestId: headers.get('x-request-id') });
  });

  test('may end with a slash', async () => {
    expect((await server.as('admin').get('/users/')).status).toBe(200);
  });

  test('is case-sensitive', async () => {
    expect((await server.as('admin').get('/Users')).status).toBe(404);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
    'of the login answers %s with 405 and Allow',
    async (method) => {
      const { status, body, headers } = await server.anonymous.send(method, '/api/v1/login');
      expect(status).toBe(405);
      expect(body.code).toBe(1220);
      expect(headers.get('allow')).toBe('OPTIONS, POST');
    },
  );

  test('answers OPTIONS with 204 and Allow, without a token', async () => {
    const { status, headers } = await server.anonymous.send('OPTIONS', '/api/v1/users');
    expect(status).toBe(204);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  test('answers HEAD as GET, without a body', async () => {
    const { status, body, headers } = await server.as('admin').send('HEAD', '/api/v1/users');
    expect(status).toBe(200);
    expect(body).toBeUndefined();
    expect(headers.get('content-type')).toContain('application/json');
  });

  test('of members answers without the prefix too', async () => {
    const { status, body } = await server.as('client').send('GET', '/members');
    expect(status).toBe(200);
    expect(body).toEqual([]);
  });

  test.each(['/api/v1/users/%E0%A4%A', '/api/v1/users/%00', '/api/v1/users/..%2f..', '/api/v1/users/123'])(
    'with the malformed id %s answers 400',
    async (path) => {
      expect(await server.as('admin').send('GET', path)).toBeRefused(400, 1210);
    },
  );
});

describe('the Accept header', () => {
  test.each([
    ['text/html', 406],
    ['text/plain;x="a\\", application/json;b="', 406],
    ['application/json;x="a\\", text/plain;b="', 200],
    ['application/xml;q=0.9', 406],
    ['application/json;q=0', 406],
    ['', 200],
    ['*/*', 200],
    ['application/*', 200],
    ['application/json; charset=utf-8', 200],
    ['text/html, application/json;q=0.5', 200],
  ])('%s answers %d', async (accept, expected) => {
    const { status, body } = await server.as('admin').get('/users', { headers: { accept } });
    expect(status).toBe(expected);
    if (expected === 406) expect(body.code).toBe(1230);
  });

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json;q=0, */*', 406],
  ])('%s of a login answers %d', async (accept, expected) => {
    const credentials = { username: server.services.users.admin.username, password: testPassword };
    const { status } = await server.anonymous.post('/login', credentials, { headers: { accept } });
    expect(status).toBe(expected);
  });

  test('is checked on member paths without prefix as well', async () => {
    const { status } = await server.as('client').send('GET', '/members', { headers: { accept: 'text/csv' } });
    expect(status).toBe(406);
  });

  test('is not checked outside the API', async () => {
    const { status } = await server.anonymous.send('GET', '/health/live', { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
  });
});

describe('the request id', () => {
  test('is taken from the caller', async () => {
    const { headers } = await server.anonymous.get('/nothing', { headers: { 'x-request-id': 'order-17.a_b' } });
    expect(headers.get('x-request-id')).toBe('order-17.a_b');
  });

  test.each(['with space', 'x'.repeat(101), '{"$ne":1}', 'a,b'])('%s is replaced', async (id) => {
    const { headers } = await server.anonymous.get('/nothing', { headers: { 'x-request-id': id } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('headers of every answer', () => {
  test('protect browsers from the first answer on', async () => {
    for (const path of ['/nothing', '/nothing', '/health']) {
      const { headers } = await server.anonymous.get(path);
      expect(headers.get('content-security-policy')).toContain("default-src 'self'");
      expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.has('x-powered-by')).toBe(false);
    }
  });

  test('allow a listed origin', async () => {
    const { headers } = await server.anonymous.get('/nothing', { headers: { origin: 'https://console.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('https://console.example');
  });

  test('allow no other origin', async () => {
    const { headers } = await server.anonymous.get('/nothing', { headers: { origin: 'https://evil.example' } });
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});

describe('query arguments', () => {
  test.each([
    ['unknown', '/myaccount?x=1'],
    ['given twice', '/users?limit=1&limit=2'],
    ['given twice with other case of escaping', '/users?limit=1&%6Cimit=2'],
    ['with brackets', '/users?username[$ne]=a'],
    ['without a name', '/users?=1'],
    ['named __proto__', '/users?__proto__=1'],
    ['preprocess that is no flag', '/users?preprocess=yes'],
    ['hidden field', '/users?passwordHash=~a'],
  ])('%s answer 400', async (_name, path) => {
    expect(await server.as('admin').get(path)).toBeRefused(400, 1210);
  });

  test('preprocess has no effect where there is no body to evaluate', async () => {
    const read = await server.as('admin').get('/users?preprocess=true');
    const refreshed = await server.as('admin').post('/refreshcache?entity=Enum&preprocess=true');
    expect([read.status, refreshed.status]).toEqual([200, 200]);
  });

  test.each(['/users?preprocess=yes', '/login?preprocess=true'])('POST %s answers 400', async (path) => {
    expect(await server.as('admin').post(path, {})).toBeRefused(400, 1210);
  });

  test('that are required and absent answer 400', async () => {
    expect(await server.as('admin').post('/refreshcache')).toBeRefused(400, 1210);
  });
});

test('a token is refused without a database round trip when it is none', async () => {
  const { status, body, headers } = await client(server.url, 'not-a-token').get('/users');
  expect({ status, body }).toBeRefused(401, 1120);
  expect(headers.get('www-authenticate')).toBe('Bearer');
});
