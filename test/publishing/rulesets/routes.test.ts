import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePolicy, makeProgram } from '../../support/definitions';
import { openTestServer } from '../../support/server';
import { earn, writeRules } from './store';

let server: Awaited<ReturnType<typeof openTestServer>>;
let rulesDir: string;
beforeAll(async () => {
  rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  server = await openTestServer({ rulesDir, ORG: 'test' });
  const { db, users } = server.services;
  const author = users.admin.principal;
  await makePolicy(db, author, await makeProgram(db, author, { code: 'shop' }));
});
afterAll(async () => {
  await server.close();
  await rm(rulesDir, { recursive: true, force: true });
});

const put = (file: string, content: unknown) => writeRules(path.join(rulesDir, file), content);
const manager = () => server.as('program-manager');
const refresh = () => manager().post('/refreshcache?entity=Rule');

describe('POST /refreshcache', () => {
  test('has nothing to do without files', async () => {
    expect(await refresh()).toMatchObject({ status: 200, body: { status: 'success' } });
    expect(await manager().get('/rulesets/current')).toMatchObject({
      status: 200,
      body: { version: null, hash: null, publishedAt: null, rules: 0, errors: [] },
    });
  });

  test('entity=Rule puts the files into force before it answers', async () => {
    await put('shop/earn.json', [earn('a', 1), earn('b', 2)]);
    expect(await refresh()).toMatchObject({ status: 200, body: { status: 'success' } });
    const { body } = await manager().get('/rulesets/current');
    expect(body).toEqual({
      version: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      publishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      rules: 2,
      errors: [],
    });
  });

  test('answers 422 with file, line and column to refused files, and the old set stays', async () => {
    await put('shop/earn.json', '[\n  {"key": "a"},\n  {"kye": "b"}\n]');
    const { status, body } = await refresh();
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 1200, message: 'Validation Error' });
    expect(body.errors[0]).toMatchObject({
      path: expect.stringMatching(/^shop\/earn\.json:2:\d+$/),
      kind: 'rule',
      message: expect.any(String),
    });
    const current = await manager().get('/rulesets/current');
    expect(current.body).toMatchObject({ version: 1, rules: 2 });
    expect(current.body.errors[0]).toMatchObject({ file: 'shop/earn.json', line: 2, column: expect.any(Number) });
  });

  test('reports missing files, and the old set stays', async () => {
    await rm(path.join(rulesDir, 'shop'), { recursive: true });
    expect(await refresh()).toMatchObject({ status: 422, body: { errors: [{ kind: 'empty' }] } });
    await put('shop/earn.json', [earn('a', 1), earn('b', 2)]);
    expect((await refresh()).status).toBe(200);
    expect((await manager().get('/rulesets/current')).body).toMatchObject({ version: 1, errors: [] });
  });

  test.each(['Enum', 'ExtSchema', 'Member', 'ActivityHistory'])('entity=%s has no cache to refresh', async (entity) => {
    expect(await manager().post(`/refreshcache?entity=${entity}`)).toMatchObject({
      status: 200,
      body: { status: 'success' },
    });
  });

  test.each(['', '?entity=', '?entity=rule', '?entity=Nothing', '?entity=Rule&other=1'])(
    'refuses %j with 400',
    async (query) => {
      expect((await manager().post(`/refreshcache${query}`)).status).toBe(400);
    },
  );

  test('needs the permission cache:refresh', async () => {
    expect((await server.as('client').post('/refreshcache?entity=Rule')).status).toBe(403);
    expect((await server.anonymous.post('/refreshcache?entity=Rule')).status).toBe(401);
  });
});

describe('POST /rules/check', () => {
  const check = (files: unknown) => manager().post('/rules/check', { files });

  test('answers faults and warnings, and stores nothing', async () => {
    const before = await manager().get('/rulesets/count');
    const { status, body } = await check([{ path: 'shop/a.json', text: '{"key": }' }]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [{ file: 'shop/a.json', line: 1, column: 9, message: expect.any(String), from: 'upload' }],
      warnings: [],
    });
    expect(await check([{ path: 'shop/a.json', text: JSON.stringify(earn('new', 1)) }])).toMatchObject({
      status: 200,
      body: { errors: [], warnings: [] },
    });
    expect((await manager().get('/rulesets/count')).body).toEqual(before.body);
  });

  test('warns of rules that can never fire', async () => {
    const web = { fact: 'activity', path: '$.srcChannelType', operator: 'in', value: [] };
    const rule = { ...earn('t', 1), conditions: { all: [web] } };
    expect((await check([{ path: 'shop/t.json', text: JSON.stringify(rule) }])).body).toMatchObject({
      errors: [],
      warnings: [
        {
          from: 'upload',
          file: 'shop/t.json',
          line: 1,
          column: expect.any(Number),
          message: expect.stringMatching(/^"t" never fires/),
        },
      ],
    });
  });

  test('checks the CSV file of a table beside its rule file', async () => {
    const columns = { channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' } };
    const rule = { ...earn('t', 1), table: { columns, csv: 't.csv' } };
    const files = [{ path: 'shop/t.json', text: JSON.stringify(rule) }];
    expect((await check([...files, { path: 'shop/t.csv', text: 'channel\nWeb\n' }])).body.errors).toEqual([]);
    expect((await check([...files, { path: 'shop/t.csv', text: 'chanel\nWeb\n' }])).body.errors).toMatchObject([
      { file: 'shop/t.csv', line: 1, column: 1, message: expect.stringContaining('did you mean "channel"?') },
    ]);
  });

  test.each(['shop/x.txt', 'shop/r.JSON', 'README.md'])('names %s, which is no rule file', async (path) => {
    const { body } = await check([{ path, text: JSON.stringify(earn('new', 1)) }]);
    expect(body.errors).toMatchObject([
      {
        file: path,
        line: 1,
        column: 1,
        from: 'upload',
        message: expect.stringMatching(/leave it out.*\.json or \.csv/),
      },
    ]);
  });

  test('warns of a folder without a program and does not read it; single programs are judged apart', async () => {
    const never = { fact: 'activity', path: '$.srcChannelType', operator: 'in', value: [] };
    const rule = { ...earn('t', 1), conditions: { all: [never] } };
    await makeProgram(server.services.db, server.services.users.admin.principal, { code: 'other' });
    const { body } = await check([
      { path: 'shpo/a.json', text: '{' },
      { path: 'shop/a.json', text: JSON.stringify(rule) },
      { path: 'other/a.json', text: '{' },
    ]);
    expect(body).toMatchObject({
      errors: [expect.objectContaining({ file: 'other/a.json' })],
      warnings: [
        {
          file: 'shpo',
          line: 1,
          column: 1,
          message: expect.stringContaining('(did you mean "shop"?)'),
          from: 'upload',
        },
        expect.objectContaining({ file: 'shop/a.json', message: expect.stringMatching(/^"t" never fires/) }),
      ],
    });
  });

  test.each([[undefined], [[]], [[{ path: 'shop/a.json' }]], [[{ path: '', text: '{}' }]]])(
    'refuses the body %j with 422',
    async (files) => {
      expect((await check(files)).status).toBe(422);
    },
  );

  test('needs the permission rules:check', async () => {
    expect((await server.as('reader').post('/rules/check', { files: [] })).status).toBe(403);
  });
});

describe('collections', () => {
  test('GET /rules shows rules, and a query finds them by key', async () => {
    const { status, body } = await manager().get('/rules?key=a');
    expect(status).toBe(200);
    expect(body).toEqual([
      expect.objectContaining({ key: 'a', name: 'Earn by a', status: 'active', version: 1, file: 'shop/earn.json' }),
    ]);
    expect(body[0].definition).toMatchObject({ actions: [{ type: 'addPoints', purse: 'Points', points: 1 }] });
    expect((await manager().get(`/rules/${body[0]._id}`)).status).toBe(200);
  });

  test('GET /rulesets shows versions without their contents', async () => {
    const { body } = await manager().get('/rulesets?version=1');
    expect(body).toEqual([expect.objectContaining({ version: 1, rules: 2 })]);
    expect(body[0]).not.toHaveProperty('drafts');
  });

  test('of rules cannot be written', async () => {
    expect((await server.as('admin').post('/rules', earn('x', 1))).status).toBe(405);
    expect((await server.as('admin').post('/rulesets', {})).status).toBe(405);
  });
});

test('a scheduled version differs from nothing as long as no rules are in force', async () => {
  const empty = await openTestServer();
  try {
    const { db, users } = empty.services;
    const author = users.admin.principal;
    await makePolicy(db, author, await makeProgram(db, author, { code: 'shop' }));
    const files = [{ path: 'shop/earn.json', text: JSON.stringify(earn('a', 1)) }];
    const from = new Date(empty.services.clock.now().getTime() + 3_600_000).toISOString();
    const at = empty.as('program-manager');
    const { body } = await at.post('/rulesets/schedule', { from, files });
    expect(await at.get(`/rulesets/${body.version}/diff`)).toBeRefused(404, 1500, {
      message: 'Rule set in force not found',
    });
  } finally {
    await empty.close();
  }
});
