import { gzipSync } from 'node:zlib';
import { refusals } from '../../support/refusals';
import { openTestServer } from '../../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ bodyMaxBytes: 100_000 });
});
afterAll(() => server.close());

const post = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  server.as('admin').post('/users', undefined, { raw, headers });

const deep = (levels: number) => `{"username":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe('a body that is malformed answers 400 with code 1210:', () => {
  test.each([
    ['truncated', '{"username":'],
    ['not JSON', 'username=admin'],
    ['two values', '{}{}'],
    ['with the key __proto__', '{"__proto__":{"roles":["admin"]}}'],
    ['with the key _bsontype', '{"ext":{"_bsontype":"Long"}}'],
    ['with the key _bsontype deep inside, escaped', '{"ext":{"a":[{"\\u005fbsontype":"ObjectId"}]}}'],
    ['with the key __proto__ deep inside, escaped', '{"a":[{"\\u005f_proto__":1}]}'],
    ['33 levels deep', deep(32)],
    ['20,000 levels deep', deep(20_000)],
  ])('%s', async (_name, raw) => {
    expect(await post(raw)).toBeRefused(400, 1210);
  });

  test.each([
    ['a byte that is no UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], 'The body is not valid UTF-8'],
    ['a character cut off', [0x22, 0xe2, 0x82, 0x22], 'The body is not valid UTF-8'],
    ['an overlong character', [0x22, 0xc0, 0xaf, 0x22], 'The body is not valid UTF-8'],
  ])('%s', async (_name, bytes, message) => {
    expect(await post(Uint8Array.from(bytes))).toBeRefused(400, 1210, { message });
  });

  test('with the key __proto__ named as the reason', async () => {
    const { body } = await post('{"__proto__":{"roles":["admin"]}}');
    expect(body.message).toContain('__proto__');
  });

  test.each(['gzip', 'deflate', 'br'])('that is not the %s it claims to be', async (encoding) => {
    expect(await post('xxxx', { 'content-encoding': encoding })).toBeRefused(400, 1210);
  });
});

describe('a body that is JSON but wrong answers 422 with code 1200:', () => {
  test.each([
    ['nothing', '', ['required', 'required']],
    ['null', 'null', ['type']],
    ['a number', '17', ['type']],
    ['a string', '"admin"', ['type']],
    ['an array', '[]', ['type']],
    ['32 levels deep', deep(31), ['type', 'required']],
  ])('%s', async (_name, raw, kinds) => {
    const { status, body } = await post(raw);
    expect({ status, body }).toBeRefused(422, 1200, { message: 'Validation Error' });
    expect(body.errors.map(({ kind }: { kind: string }) => kind).sort()).toEqual([...kinds].sort());
  });

  test('with all failing fields named', async () => {
    const sent = {
      username: 17,
      password: 'short',
      roles: ['king'],
      isActive: 'yes',
      org: 'x',
      passwordHash: 'x',
      a: 1,
    };
    const { body } = await server.as('admin').post('/users', sent);
    const found = refusals({ body });
    expect(found.sort()).toEqual([
      'a additionalProperties',
      'isActive type',
      'org readOnly',
      'password minLength',
      'passwordHash additionalProperties',
      'roles.0 enum',
      'username type',
    ]);
  });

  test.each([['1e21'], ['1e400'], ['-1'], ['1.5'], ['9007199254740993']])(
    'the number %s as a count',
    async (number) => {
      const raw = `{"type":"ActivityType","value":"Visit","order":${number}}`;
      const { status } = await server.as('admin').post('/enums', undefined, { raw });
      expect(status).toBe(422);
    },
  );

  test('with at most 100 failing fields named', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    const { body } = await server.as('admin').post('/users', many);
    expect(body.errors).toHaveLength(100);
  });
});

describe('a body of another media type answers 415 with code 1250:', () => {
  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data',
  ])('%s', async (type) => {
    expect(await post('{}', { 'content-type': type })).toBeRefused(415, 1250);
  });

  test('with an unknown encoding', async () => {
    expect(await post('{}', { 'content-encoding': 'snappy' })).toBeRefused(415, 1250);
  });
});

describe('a body past the limit answers 413 with code 1240:', () => {
  test('when it is sent uncompressed', async () => {
    expect(await post(`{"username":"${'a'.repeat(100_000)}"}`)).toBeRefused(413, 1240);
  });

  test('when it unpacks to a thousand times its size', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    expect(await post(new Uint8Array(bomb), { 'content-encoding': 'gzip' })).toBeRefused(413, 1240);
  });
});

test('a packed body within the limit is read', async () => {
  const packed = gzipSync(JSON.stringify({ username: 'zip', password: 'a long password' }));
  const { status } = await post(new Uint8Array(packed), { 'content-encoding': 'gzip' });
  expect(status).toBe(201);
});

test('every character is read as it was sent, including the replacement character', async () => {
  const value = 'é€😀\uFFFD "__proto__": x';
  const { status, body } = await server.as('admin').post('/enums', { type: 'Characters', value });
  expect([status, body.value]).toEqual([201, value]);
});
