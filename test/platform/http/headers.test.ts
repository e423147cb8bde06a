import http from 'node:http';
import { allRoutes } from '#server/routes';
import { openTestServer } from '../../support/server';

const metricsToken = 'a token for metrics';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ METRICS_TOKEN: metricsToken });
});
afterAll(() => server.close());

const admin = () => server.as('admin');
const token = () => server.services.users.admin.token;
const id = 'a'.repeat(24);

interface Raw {
  status: number | undefined;
  body: { code?: number; message?: string };
  headers: http.IncomingHttpHeaders;
}

/** Sends headers as a list, so that a name may stand twice, and a body as bytes. */
function send(method: string, path: string, headers: string[], body?: Buffer): Promise<Raw> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method, path, headers, setHost: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({ status: answer.statusCode, body: text === '' ? {} : JSON.parse(text), headers: answer.headers });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const bearer = () => ['Host', 'x', 'Authorization', `Bearer ${token()}`];

describe('a header of which there can be only one', () => {
  test.each([
    ['Host', 'evil.example.invalid'],
    ['Authorization', 'Bearer another'],
    ['Content-Type', 'text/plain'],
    ['Content-Encoding', 'gzip'],
    ['Idempotency-Key', 'b'],
  ])('%s is refused when it is sent twice, in any order', async (name, other) => {
    const body = Buffer.from('{"name":"x","code":"twice"}');
    const usual: Record<string, string> = {
      Host: 'x',
      Authorization: `Bearer ${token()}`,
      'Content-Type': 'application/json',
      'Content-Encoding': 'identity',
      'Idempotency-Key': 'a',
      'Content-Length': `${body.length}`,
    };
    for (const pair of [
      [usual[name] ?? '', other],
      [other, usual[name] ?? ''],
    ]) {
      const rest = Object.entries(usual).filter(([each]) => each !== name);
      const answer = await send(
        'POST',
        '/api/v1/programs',
        [...rest.flat(), ...pair.flatMap((value) => [name, value])],
        body,
      );
      expect(answer).toBeRefused(400, 1210);
      expect(answer.body.message).toContain(name.toLowerCase());
    }
    expect((await admin().get('/programs?code=twice')).body).toEqual([]);
  });
});

describe('Authorization', () => {
  test.each(['Bearer  ', 'bearer ', 'BEARER    '])('is understood with "%s" before the token', async (scheme) => {
    const { status } = await send('GET', '/api/v1/myaccount', ['Host', 'x', 'Authorization', `${scheme}${token()}`]);
    expect(status).toBe(200);
  });

  test.each(['Bearer', 'Bearer\t', 'Basic ', 'Bearer a,', 'Bearer a '])(
    'is not understood with "%s" before the token',
    async (scheme) => {
      const { status } = await send('GET', '/api/v1/myaccount', ['Host', 'x', 'Authorization', `${scheme}${token()}`]);
      expect(status).toBe(401);
    },
  );
});

test.each([
  ['utf-16', 'utf16le'],
  ['utf-16le', 'utf16le'],
  ['utf-32', 'utf8'],
  ['iso-8859-1', 'latin1'],
  ['windows-1252', 'latin1'],
] as const)('a body in %s is 415 and changes nothing', async (charset, encoding) => {
  const body = Buffer.from('{"name":"Größe","code":"charset"}', encoding);
  const type = `application/json; charset=${charset}`;
  const headers = [...bearer(), 'Content-Type', type, 'Content-Length', `${body.length}`];
  const answer = await send('POST', '/api/v1/programs', headers, body);
  expect(answer).toBeRefused(415, 1250, { message: 'The body must be UTF-8' });
});

test.each(['utf16le', 'latin1'] as const)(
  'a body whose bytes are %s without saying so is 400 and says UTF-8',
  async (encoding) => {
    const body = Buffer.from('{"name":"Größe","code":"charset"}', encoding);
    const headers = [...bearer(), 'Content-Type', 'application/json', 'Content-Length', `${body.length}`];
    const answer = await send('POST', '/api/v1/programs', headers, body);
    expect(answer).toBeRefused(400, 1210, { message: 'The body is not valid UTF-8' });
  },
);

test.each(['utf-8', 'UTF8', '"utf-8"', 'us-ascii'])('a body that is said to be %s is read', async (charset) => {
  const body = Buffer.from('{}');
  const type = `application/json; charset=${charset}`;
  const headers = [...bearer(), 'Content-Type', type, 'Content-Length', `${body.length}`];
  expect((await send('POST', '/api/v1/programs', headers, body)).status).toBe(422);
});

describe('X-Request-Id', () => {
  test('of an import cannot be sent by a client, and the audit log shows the user', async () => {
    for (const sent of [`import-${id}`, `IMPORT-${id}`, 'import-']) {
      const created = await admin().post(
        '/namedlists',
        { name: sent, model: 'Product', kind: 'static', ids: [] },
        {
          headers: { 'x-request-id': sent },
        },
      );
      const answered = created.headers.get('x-request-id');
      expect(answered).toMatch(/^[0-9a-f-]{36}$/);
      const { body } = await admin().get(`/auditlog?resource=namedlists&id=${created.body._id}`);
      expect(body).toMatchObject([{ requestId: answered, via: 'api' }]);
    }
  });

  test('of a client is kept in other cases', async () => {
    const { headers } = await admin().get('/programs', { headers: { 'x-request-id': 'my-import-7' } });
    expect(headers.get('x-request-id')).toBe('my-import-7');
  });
});

describe('a tag as a compressing proxy leaves it', () => {
  const manners: readonly (readonly [string, (tag: string) => string])[] = [
    ['weak', (tag) => `W/${tag}`],
    ['with -gzip', (tag) => tag.replace(/"$/, '-gzip"')],
    ['with --gzip', (tag) => tag.replace(/"$/, '--gzip"')],
    ['with ;br', (tag) => tag.replace(/"$/, ';br"')],
    ['weak and with -zstd', (tag) => `W/${tag.replace(/"$/, '-zstd"')}`],
    ['in a list', (tag) => `"other", W/${tag}`],
  ];

  test.each(manners)('names the version in %s', async (name, mangled) => {
    const { body, headers } = await admin().post('/namedlists', { name, model: 'Product', kind: 'static', ids: [] });
    const path = `/namedlists/${body._id}`;
    const tag = headers.get('etag') ?? '';
    expect((await admin().get(path, { headers: { 'if-none-match': mangled(tag) } })).status).toBe(304);
    const change = { headers: { 'if-match': mangled(tag) } };
    expect((await admin().put(path, { name: `${name} 2` }, change)).status).toBe(200);
    expect((await admin().put(path, { name: `${name} 3` }, change)).status).toBe(412);
    expect((await admin().get(path, { headers: { 'if-none-match': mangled(tag) } })).status).toBe(200);
  });

  test.each(['"t1"', '"-gzip"', 'W/"v0-gzip"', '"v1-gzip-br"', 't'])('names no version in %s', async (tag) => {
    const { body } = await admin().post('/namedlists', { name: tag, model: 'Product', kind: 'static', ids: [] });
    const change = { headers: { 'if-match': tag } };
    expect((await admin().put(`/namedlists/${body._id}`, { name: `${tag} 2` }, change)).status).toBe(412);
  });
});

describe('the cache of a client', () => {
  test.each(['/myaccount', '/programs', '/exports?kind=journal&format=csv', '/auditlog', '/programs/count'])(
    'does not include GET %s',
    async (path) => {
      const { status, headers } = await admin().get(path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    },
  );

  test('a record with a tag is private to its client and validated each time', async () => {
    const { body } = await admin().post('/namedlists', { name: 'kept', model: 'Product', kind: 'static', ids: [] });
    const { headers } = await admin().get(`/namedlists/${body._id}`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
  });
});

describe('a + that is not encoded in the date of an argument', () => {
  const dated = allRoutes.flatMap((route) =>
    Object.entries(route.query ?? {})
      .filter(([, { schema }]) => schema['x-date'] !== undefined)
      .map(([name]) => ({ name, route })),
  );

  test('is possible in several arguments', () => expect(dated.length).toBeGreaterThan(2));

  test.each(dated.map(({ name, route }) => [name, route.method, route.path, route] as const))(
    '%s of %s %s gets the hint to write %%2B',
    async (name, method, path, route) => {
      const others = Object.entries(route.query ?? {})
        .filter(([each, { required }]) => required && each !== name)
        .map(([each, { schema }]) => `${each}=${schema['x-date'] ? '2026-01-01T00:00:00Z' : id}`);
      const query = [...others, `${name}=2026-01-31T13:45:00.000+02:00`, ...(name === 'asOf' ? ['persist=false'] : [])];
      const address = `/api/v1${path.replace(/:\w+/g, id)}?${query.join('&')}`;
      const { status, body } = await admin().send(
        method,
        address,
        method === 'GET' ? {} : { body: { type: 'Accrual' } },
      );
      expect({ status, body }).toBeRefused(400, 1210);
      expect(body.message).toContain('%2B');
    },
  );
});

describe('metrics, where a token is set', () => {
  const ask = (authorization?: string) =>
    server.anonymous.send('GET', '/metrics', { headers: authorization === undefined ? {} : { authorization } });

  test('are for clients that send it, with any number of blanks', async () => {
    expect((await ask(`Bearer ${metricsToken}`)).status).toBe(200);
    expect((await ask(`bearer   ${metricsToken}`)).status).toBe(200);
  });

  test('are for no other client, also on this machine', async () => {
    expect((await ask()).status).toBe(401);
    expect((await ask('Bearer another')).status).toBe(401);
    expect((await ask(`Bearer ${metricsToken} `.padEnd(60, 'x'))).status).toBe(401);
  });
});
