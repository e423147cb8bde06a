import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine, guarded, unguarded } from '#base/common/cells/csvCell';
import { stringStream } from '#base/common/stringStream';
import { exportTexts } from '#exchange/exports/exportTexts';
import { memberResource } from '#records/members/member';
import { client } from '../../support/client';
import { addOrg } from '../../support/server';
import { makeTestUser } from '../../support/services';
import { until } from '../../support/until';
import { earnRule, openWorld, type World } from '../../support/world';
import { importing } from '../imports/importing';

let world: World;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
});
afterAll(() => world.close());

const get = (path: string, role: 'admin' | 'client' | 'reader' = 'admin') => world.server.as(role).get(path);
const ndjson = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('a text that a spreadsheet could take for a formula is guarded, and is imported unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.constantFrom('=', '+', '-', '@', '\t', '\r', "'=", "''@x", "'a", '-5', '+47 1')),
      (text) => {
        const cell = guarded(text);
        expect(unguarded(cell)).toBe(text);
        expect(/^[=+\-@\t\r]/.test(cell)).toBe(false);
        if (!/[\r\n]/.test(text)) expect(parse(csvLine([cell, 'x']))[0]).toEqual([cell, 'x']);
      },
    ),
  );
});

test('every kind is exported as CSV and NDJSON with the records that reads answer', async () => {
  const names = ['=cmd()', 'a "b", c', '\u00E9\u4E2D'];
  for (const firstName of names) await world.addMember({ firstName, phone: '+47 1' });
  const member = await world.addMember();
  await world.server.as('client').post('/activity', { type: 'Accrual', memberID: member._id, value: 5 });
  await world.server.as('admin').post('/jobs/aggregates/run');
  for (const kind of [
    'members',
    'accrualitems',
    'journal',
    'activityhistories',
    'dailyaggregates',
    'lifetimeaggregates',
  ]) {
    const listed = await get(
      `/${kind}?query=${encodeURIComponent('{"createdAt":{"$gt":"2000-01-01T00:00:00Z"}}')}&limit=1000`,
    );
    const lines = await get(`/exports?kind=${kind}&format=ndjson`);
    expect([kind, lines.status]).toEqual([kind, 200]);
    const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1);
    expect([kind, ndjson(lines.body).sort(byId)]).toEqual([kind, [...listed.body].sort(byId)]);
    const { body, headers } = await get(`/exports?kind=${kind}&format=csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="\w+-\d{4}-\d\d-\d\d\.csv"$/);
    const rows: Record<string, string>[] = parse(body, { columns: true });
    expect(rows.map(({ _id }) => _id).sort()).toEqual(listed.body.map(({ _id }: { _id: string }) => _id).sort());
  }
  const rows: Record<string, string>[] = parse((await get('/exports?kind=members')).body, { columns: true });
  expect(rows.slice(0, 3).map(({ firstName }) => firstName)).toEqual(["'=cmd()", 'a "b", c', '\u00E9\u4E2D']);
  expect(rows[0]?.phone).toBe("'+47 1");
  expect(rows[0]).not.toHaveProperty('searchKeys');
});

test('an export of members is imported without a change', async () => {
  const { body } = await get('/exports?kind=members');
  const { counts, errors } = await importing(world).imported({ kind: 'members', content: body });
  expect({ counts, errors: errors.split('\n').slice(1, 2) }).toMatchObject({ counts: { unchanged: 4, rows: 4 } });
});

test('an export has the records that a query selects, of the own org only', async () => {
  const query = encodeURIComponent('{"firstName":"=cmd()"}');
  expect(ndjson((await get(`/exports?kind=members&format=ndjson&query=${query}`)).body)).toHaveLength(1);
  const other = (await addOrg(world.server)).as('admin');
  expect((await other.get('/exports?kind=members')).body.trim().split('\n')).toHaveLength(1);
  for (const bad of [
    'kind=none',
    '',
    'kind=users',
    'kind=members&format=xml',
    `kind=members&query=${encodeURIComponent('{"searchKeys":"x"}')}`,
  ]) {
    expect([bad, (await get(`/exports?${bad}`)).status]).toEqual([bad, 400]);
  }
});

test('an export needs the permission to read', async () => {
  const nobody = await makeTestUser(world.services, world.services.org, 'nobody', []);
  expect((await client(world.server.url, nobody.token).get('/exports?kind=members')).status).toBe(403);
});

test('an export of many records has each once, while records come and go', async () => {
  const rows = Array.from({ length: 1000 }, (_unused, n) => ({ program: world.program._id, loyaltyID: `E-${n}` }));
  const bulk = () =>
    world.server.as('client').post(
      '/members/bulk',
      rows.map((row) => ({ ...row, loyaltyID: undefined })),
    );
  await world.server.as('client').post('/members/bulk', rows);
  const [{ body }] = await Promise.all([get('/exports?kind=members&format=ndjson'), bulk()]);
  const ids = ndjson(body).map(({ loyaltyID }) => loyaltyID);
  expect(new Set(ids).size).toBe(ids.length);
  expect(rows.every(({ loyaltyID }) => ids.includes(loyaltyID))).toBe(true);
});

test('an export that fails in the middle is cut off, not ended', async () => {
  const { port } = new URL(world.server.url);
  const { db } = world.services;
  const admin = db.getClient().db('admin');
  await admin
    .command({
      configureFailPoint: 'failCommand',
      mode: { skip: 1 },
      data: { failCommands: ['find'], errorCode: 50, namespace: `${db.name}.members` },
    })
    .catch(() => undefined);
  const outcome = await new Promise<string>((resolve) => {
    const headers = { authorization: `Bearer ${world.services.users.admin.token}` };
    http.get({ port, path: '/api/v1/exports?kind=members&format=ndjson', headers, agent: false }, (response) => {
      response.on('data', () => undefined);
      response.on('end', () => resolve(response.complete ? 'complete' : 'cut'));
      response.on('error', () => resolve('cut'));
    });
  });
  await admin.command({ configureFailPoint: 'failCommand', mode: 'off' }).catch(() => undefined);
  expect(outcome).toBe('cut');
});

test('no more than two exports of a user run at once, and one whose reader goes away makes room', async () => {
  const { port } = new URL(world.server.url);
  const headers = { authorization: `Bearer ${world.services.users.admin.token}` };
  const big = 'x'.repeat(200);
  await world.services.db
    .collection('members')
    .updateMany(
      {},
      { $set: { address: Object.fromEntries(Array.from({ length: 40 }, (_unused, n) => [`a${n}`, big])) } },
    );
  const current = await Promise.all(
    [1, 2].map(
      () =>
        new Promise<http.IncomingMessage>((resolve) => {
          http.get({ port, path: '/api/v1/exports?kind=members&format=ndjson', headers, agent: false }, (response) => {
            response.pause();
            resolve(response);
          });
        }),
    ),
  );
  expect((await get('/exports?kind=members')).status).toBe(429);
  for (const each of current) each.destroy();
  await until(async () => (await get('/exports?kind=members')).status === 200);
});

test('a reader who leaves before the answer begins makes room, too', async () => {
  const { port } = new URL(world.server.url);
  const { token } = world.services.users.admin;
  for (const kind of ['activityhistories', 'members', 'products', 'activityhistories', 'members', 'products']) {
    const path = `/api/v1/exports?kind=${kind}&format=csv`;
    const socket = net.connect(Number(port));
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      const sent = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      socket.write(sent, () => resolve());
    });
    socket.destroy();
  }
  const statuses = async () => {
    const answers = await Promise.all([get('/exports?kind=products'), get('/exports?kind=products')]);
    return answers.map(({ status }) => status).join();
  };
  await until(async () => (await statuses()) === '200,200');
});

test('a stream ends its source when it is destroyed before anything was read', async () => {
  let isEnded = false;
  async function* texts() {
    try {
      yield 'first';
      yield 'second';
    } finally {
      isEnded = true;
    }
  }
  const stream = await stringStream(texts());
  stream.destroy();
  await once(stream, 'close');
  await until(async () => isEnded);
});

test('exportTexts gives several pages', async () => {
  const { db, org } = world.services;
  let pages = 0;
  for await (const text of exportTexts({ db, org: org._id, resource: memberResource, filter: {}, format: 'ndjson' }))
    pages += text === '' ? 0 : 1;
  expect(pages).toBeGreaterThan(2);
});
