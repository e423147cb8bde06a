import { Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { invalidField, ServiceError } from '#base/common/errors';
import { prepareCollections } from '#base/db/prepareCollections';
import { count, ext, list, objectId, record, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { collectionRoutes, readingRoutes } from '#platform/http/collection/collectionRoutes';
import type { Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { createApp } from '#server/app';
import { type Serving, serve } from '#server/serve';
import { type Client, client } from '../../../support/client';
import { makeTestOrg, openTestServices, type TestServices } from '../../../support/services';

const shelfResource = defineResource({
  name: 'Shelf',
  path: 'shelves',
  access: 'managed',
  tag: 'Catalog',
  fields: { code: text(), ext: ext() },
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});

const bookResource = defineResource({
  name: 'Book',
  path: 'books',
  access: 'managed',
  tag: 'Catalog',
  fields: {
    title: text(),
    shelf: Type.Optional(objectId('Shelf')),
    copies: Type.Optional(list(record({ code: text(), shelf: Type.Optional(objectId('Shelf')) }), 10)),
    pages: Type.Optional(count()),
    shout: text(),
    status: text(20, { default: 'here' }),
    version: count(),
    secret: text(),
    presented: Type.Optional(Type.Boolean()),
    ext: ext(),
  },
  readOnly: ['shout', 'version', 'presented'],
  hidden: ['secret'],
  indexes: [
    { keys: { org: 1, title: 1 }, unique: true },
    { keys: { org: 1, 'copies.code': 1 }, unique: true, where: { 'copies.code': { $exists: true } } },
  ],
});

const operations = ['list', 'count', 'read', 'create', 'update', 'delete'] as const;

const bookWrites = defineWrites(bookResource, {
  async prepare(body, _context, previous) {
    const title = body.title ?? previous?.title ?? '';
    if (title === 'forbidden') throw invalidField('title', 'pattern', { message: 'is forbidden' });
    return { ...body, secret: 'hash', shout: title.toUpperCase() };
  },
  guard: ({ status }) => {
    if (status === 'burnt') throw new ServiceError('gone', { message: 'Book was burnt' });
  },
  present: async (docs) => docs.map((doc) => ({ ...doc, presented: true })),
});

const routes: Route[] = [
  ...collectionRoutes(defineWrites(shelfResource), { operations, skipMax: 4 }),
  ...collectionRoutes(bookWrites, { operations }),
];

let services: TestServices;
let server: Serving;
let admin: Client;
let reader: Client;
let stranger: Client;

beforeAll(async () => {
  const opened = await openTestServices();
  opened.clock.set('2026-01-31T12:00:00.000Z');
  services = { ...opened, resources: [...opened.resources, shelfResource, bookResource] };
  await prepareCollections(services.db, [shelfResource, bookResource]);
  server = await serve(services, createApp(services, routes));
  admin = client(server.url, services.users.admin.token);
  reader = client(server.url, services.users.reader.token);
  stranger = client(server.url, (await makeTestOrg(services, 'other')).users.admin.token);
});
afterAll(async () => {
  await server.close();
  await services.close();
});

let named = 0;
function fresh(name: string): string {
  named += 1;
  return `${name} ${named}`;
}

const shelf = async (who = admin): Promise<string> => (await who.post('/shelves', { code: fresh('shelf') })).body._id;
const book = async (fields: object = {}) => (await admin.post('/books', { title: fresh('book'), ...fields })).body;

describe('creating', () => {
  it('answers 201 with the whole record and its Location, and nothing hidden', async () => {
    const { status, body, headers } = await admin.post('/books', { title: 'Emma', pages: 300, ext: { a: 1 } });
    expect(status).toBe(201);
    expect(body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      org: services.org._id.toHexString(),
      title: 'Emma',
      shout: 'EMMA',
      pages: 300,
      status: 'here',
      version: 1,
      ext: { a: 1 },
      presented: true,
      createdAt: services.clock.now().toISOString(),
      updatedAt: services.clock.now().toISOString(),
      createdBy: services.users.admin.principal.userId.toHexString(),
      updatedBy: services.users.admin.principal.userId.toHexString(),
    });
    expect(headers.get('location')).toBe(`/api/v1/books/${body._id}`);
    expect((await admin.get(`/books/${body._id}`)).body).toEqual(body);
  });

  it.each<[object, object[]]>([
    [{}, [{ kind: 'required', path: 'title' }]],
    [{ title: 'a', colour: 'red' }, [{ kind: 'additionalProperties', path: 'colour' }]],
    [{ title: 'a', shout: 'A' }, [{ kind: 'readOnly', path: 'shout' }]],
    [{ title: 'a', secret: 'x' }, [{ kind: 'readOnly', path: 'secret' }]],
    [{ title: 'a', org: 'x' }, [{ kind: 'readOnly', path: 'org' }]],
    [{ title: 'forbidden' }, [{ kind: 'pattern', path: 'title' }]],
  ])('%j answers 422', async (body, errors) => {
    expect(await admin.post('/books', body)).toBeRefused(422, 1200, { errors });
  });

  it('names every reference that does not exist in the org', async () => {
    const foreign = await shelf(stranger);
    const known = await shelf();
    const gone = new ObjectId().toHexString();
    const copies = [{ code: fresh('c'), shelf: known }, { code: fresh('c'), shelf: foreign }, { code: fresh('c') }];
    const answer = await admin.post('/books', { title: fresh('book'), shelf: gone, copies });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map(({ kind, path }: { kind: string; path: string }) => [kind, path])).toEqual([
      ['reference', 'shelf'],
      ['reference', 'copies.1.shelf'],
    ]);
  });

  it('names the field whose value is taken, with its position in a list', async () => {
    const { title } = await book({ copies: [{ code: 'one' }] });
    const again = await admin.post('/books', { title });
    expect(again).toMatchObject({ status: 422, body: { errors: [{ kind: 'unique', path: 'title' }] } });
    const copy = await admin.post('/books', { title: fresh('book'), copies: [{ code: 'two' }, { code: 'one' }] });
    expect(copy).toMatchObject({ status: 422, body: { errors: [{ kind: 'unique', path: 'copies.1.code' }] } });
  });

  it('accepts a value that only another org has', async () => {
    const code = fresh('shelf');
    expect((await stranger.post('/shelves', { code })).status).toBe(201);
    expect((await admin.post('/shelves', { code })).status).toBe(201);
  });
});

describe('changing', () => {
  it.each(['put', 'patch'] as const)('%s changes the sent fields only, and stamps', async (method) => {
    const before = await book({ pages: 1, ext: { a: 1, b: 2 } });
    services.clock.advance(1000);
    const { status, body } = await admin[method](`/books/${before._id}`, { ext: { c: 3 } });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, ext: { c: 3 }, version: 2, updatedAt: services.clock.now().toISOString() });
  });

  it('recomputes what follows from the sent fields', async () => {
    const { _id } = await book();
    const title = fresh('renamed');
    expect((await admin.put(`/books/${_id}`, { title })).body.shout).toBe(title.toUpperCase());
  });

  it('checks references and unique fields', async () => {
    const { title } = await book();
    const { _id } = await book();
    const gone = new ObjectId().toHexString();
    expect((await admin.put(`/books/${_id}`, { title })).body.errors).toMatchObject([
      { kind: 'unique', path: 'title' },
    ]);
    expect((await admin.put(`/books/${_id}`, { shelf: gone })).body.errors).toMatchObject([{ kind: 'reference' }]);
  });

  it('loses no change of several at once', async () => {
    const { _id } = await book();
    const answers = await Promise.all(
      [1, 2, 3, 4].map((pages) => admin.put(`/books/${_id}`, pages % 2 ? { pages } : { status: `s${pages}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await admin.get(`/books/${_id}`)).body.version).toBe(5);
  });
});

describe('deleting', () => {
  it('answers 204, and 404 afterwards', async () => {
    const { _id } = await book();
    const { status, body } = await admin.delete(`/books/${_id}`);
    expect([status, body]).toEqual([204, undefined]);
    expect((await admin.delete(`/books/${_id}`)).status).toBe(404);
    expect((await admin.get(`/books/${_id}`)).status).toBe(404);
  });

  it('is refused while records refer to it, and names where', async () => {
    const used = await shelf();
    const { _id } = await book({ copies: [{ code: fresh('c'), shelf: used }] });
    const refused = await admin.delete(`/shelves/${used}`);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toMatchObject([
      { kind: 'inUse', path: '_id', message: 'is referred to by books in copies.shelf' },
    ]);
    await admin.delete(`/books/${_id}`);
    expect((await admin.delete(`/shelves/${used}`)).status).toBe(204);
  });
});

describe('one record', () => {
  it('is answered with selected fields and populated references', async () => {
    const { _id } = await book();
    const { body } = await admin.get(`/books/${_id}?select=title,-_id&populate=createdBy`);
    expect(Object.keys(body).sort()).toEqual(['createdBy', 'presented', 'title']);
    expect(body.createdBy.username).toBe(services.users.admin.username);
    expect(body.createdBy).not.toHaveProperty('passwordHash');
  });

  it('is populated only for those who may read what it refers to', async () => {
    const { _id } = await book();
    for (const path of [`/books/${_id}`, '/books']) {
      expect(await reader.get(`${path}?populate=createdBy`)).toBeRefused(403, 1130);
    }
  });

  it('is 410 when its guard says so, for reads, changes and deletion', async () => {
    const { _id } = await book({ status: 'burnt' });
    const answers = [
      await admin.get(`/books/${_id}`),
      await admin.get(`/books/${_id}?select=title`),
      await admin.put(`/books/${_id}`, { pages: 1 }),
      await admin.delete(`/books/${_id}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([410, 1510]));
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])(
    '%s answers 404 for an unknown id and another org, 400 for none',
    async (method) => {
      const { _id } = await book();
      const body = { body: { pages: 1 } };
      const ask = async (who: Client, id: string) => {
        const answer = await who.send(method, `/api/v1/books/${id}`, method.startsWith('P') ? body : {});
        return [answer.status, answer.body.code];
      };
      expect(await ask(admin, new ObjectId().toHexString())).toEqual([404, 1500]);
      expect(await ask(stranger, _id)).toEqual([404, 1500]);
      expect(await ask(admin, 'abc')).toEqual([400, 1210]);
      expect((await admin.get(`/books/${_id}`)).status).toBe(200);
    },
  );
});

describe('a list', () => {
  it('accepts the whole query language', async () => {
    const word = fresh('listed');
    for (const pages of [3, 1, 2]) await book({ title: `${word} ${pages}`, pages });
    const query = encodeURIComponent(JSON.stringify({ pages: { $gt: 1 } }));
    const { body } = await admin.get(
      `/books?query=${query}&title=~^${encodeURIComponent(word)}&sort=pages&select=pages,-_id`,
    );
    expect(body).toEqual([
      { pages: 2, presented: true },
      { pages: 3, presented: true },
    ]);
    const counted = await admin.get(`/books/count?query=${query}&title=~^${encodeURIComponent(word)}&limit=1`);
    expect(counted.body).toEqual({ count: 2 });
    expect((await admin.get(`/books?distinct=pages&title=~^${encodeURIComponent(word)}`)).body).toEqual([1, 2, 3]);
  });

  it('accepts a query of the greatest length', async () => {
    const pages = { $in: Array.from({ length: 100 }, (_, index) => index) };
    const longest = JSON.stringify({ pages, title: '"'.repeat(7_900) });
    expect(longest.length).toBeGreaterThan(16_000);
    expect((await admin.get(`/books?query=${encodeURIComponent(longest)}`)).body).toEqual([]);
  });

  it('links to the next page from a full one', async () => {
    const place = await shelf();
    for (let made = 0; made < 3; made += 1) await book({ shelf: place });
    const first = await admin.get(`/books?shelf=${place}&limit=2`);
    const link = first.headers.get('link') ?? '';
    expect(link).toBe(`</api/v1/books?shelf=${place}&limit=2&skip=2>; rel="next"`);
    const second = await admin.send('GET', link.slice(1, link.indexOf('>')));
    expect([first.body.length, second.body.length, second.headers.get('link')]).toEqual([2, 1, null]);
  });

  it.each([
    'secret=x',
    'query={"$where":"1"}',
    'query={"secret":{"$exists":true}}',
    'query={}&query={}',
    'query[$ne]=1',
    'sort=secret',
    'select=secret',
    'distinct=secret',
    'populate=secret',
    'limit=0',
    'title=~(a%2B)%2B',
  ])('answers 400 to %s, and so does the count', async (args) => {
    for (const path of ['/books', '/books/count']) {
      expect(await admin.get(`${path}?${args}`)).toBeRefused(400, 1210);
    }
  });

  it('links on past the greatest skip, in any order, to the last record', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 9; n += 1) ids.push(await shelf());
    const own = `/api/v1/shelves?query=${encodeURIComponent(JSON.stringify({ _id: { $in: ids } }))}&limit=3`;
    for (const [args, expected] of [
      ['&sort=-_id', [...ids].reverse()],
      ['&sort=org,code&select=code', ids],
      ['&sort=createdAt&select=code,-_id', ids.map(() => undefined)],
    ] as const) {
      const seen: unknown[] = [];
      const links: string[] = [];
      for (let next = `${own}${args}`; next !== ''; ) {
        const { status, body, headers } = await admin.send('GET', next);
        expect(status).toBe(200);
        seen.push(...body.map(({ _id }: { _id?: string }) => _id));
        const link = headers.get('link') ?? '';
        next = link.slice(1, link.indexOf('>'));
        links.push(/(after|skip)=/.exec(next)?.[1] ?? 'end');
      }
      expect([seen, links]).toEqual([expected, ['skip', 'after', 'after', 'end']]);
    }
    const [skipped, counted] = [await admin.send('GET', `${own}&skip=5`), await admin.get('/shelves/count?after=x')];
    expect([skipped.status, counted.status]).toEqual([400, 400]);
  });

  it('answers 400 to a search of more than 800 ms, and 429 to the fifth of a user at once', async () => {
    const org = services.org._id;
    const slow = Array.from({ length: 40_000 }, (_, i) => ({ org, title: `slow ${i}`, shout: 'a'.repeat(255) }));
    await services.db.collection('books').insertMany(slow);
    const answers = await Promise.all(Array.from({ length: 6 }, () => reader.get('/books?shout=~a%2Ba%2B[yz]')));
    const tooLong = answers.filter(({ status }) => status === 400);
    const tooMany = answers.filter(({ status }) => status === 429);
    expect([tooLong.length, tooMany.length]).toEqual([4, 2]);
    expect(tooLong[0]?.body).toMatchObject({ code: 1210, message: expect.stringContaining('longer than 800 ms') });
    expect(tooMany[0]?.body.code).toBe(1260);
    expect(tooMany[0]?.headers.get('retry-after')).toBe('1');
    await services.db.collection('books').deleteMany({ title: /^slow/ });
  });
});

describe('permissions', () => {
  it('are those of each operation', async () => {
    const { _id } = await book();
    expect((await reader.get(`/books/${_id}`)).status).toBe(200);
    expect((await reader.post('/books', { title: 'x' })).status).toBe(403);
    expect((await reader.put(`/books/${_id}`, { pages: 1 })).status).toBe(403);
    expect((await reader.delete(`/books/${_id}`)).status).toBe(403);
  });

  it('are named after the resource unless said otherwise', () => {
    const burnt = { ...shelfResource, permissions: { ...shelfResource.permissions, delete: 'shelves:burn' } };
    const named = collectionRoutes(defineWrites(burnt), { operations });
    expect(named.map(({ method, path, permission }) => [method, path, permission])).toEqual([
      ['GET', '/shelves', 'shelves:read'],
      ['GET', '/shelves/count', 'shelves:read'],
      ['GET', '/shelves/:id', 'shelves:read'],
      ['POST', '/shelves', 'shelves:create'],
      ['PUT', '/shelves/:id', 'shelves:update'],
      ['PATCH', '/shelves/:id', 'shelves:update'],
      ['DELETE', '/shelves/:id', 'shelves:burn'],
    ]);
  });
});

describe('a resource whose reads need a query', () => {
  it('answers 400 without one', async () => {
    const needy = readingRoutes(shelfResource, {
      operations: ['list', 'count'],
      isQueryRequired: true,
    });
    const serving = await serve(services, createApp(services, needy));
    const asking = client(serving.url, services.users.admin.token);
    for (const path of ['/shelves', '/shelves?query={}', '/shelves?code=x', '/shelves/count']) {
      expect((await asking.get(path)).status).toBe(400);
    }
    expect((await asking.get('/shelves?query={"code":"x"}')).body).toEqual([]);
    await serving.close();
  });
});
