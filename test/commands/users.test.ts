import { Readable } from 'node:stream';
import { collectionOf } from '#base/db/collections';
import { runCommand } from '#commands/base/runCommand';
import { orgsCommand } from '#commands/orgs';
import { usersCommand } from '#commands/users';
import { apiKeyResource } from '#records/users/apiKey';
import { auditResource } from '#records/users/auditEntry';
import { client } from '../support/client';
import { openTestServer } from '../support/server';

let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

/** Runs a command line with this input; returns the exit code and the lines that the command wrote. */
async function run(make: typeof usersCommand, args: string[], input = '', config = server.services.config) {
  const written = { out: [] as string[], err: [] as string[] };
  const streams = {
    input: Readable.from([input]),
    out: (line: string) => void written.out.push(line),
    err: (line: string) => void written.err.push(line),
  };
  const code = await runCommand(make(config, streams), args, streams);
  return { code, ...written };
}

const logIn = (username: string, password: string) => server.anonymous.post('/login', { username, password });

describe('users', () => {
  test('list names org, roles and state', async () => {
    const { code, out } = await run(usersCommand, ['list', '--org', 'test']);
    expect(code).toBe(0);
    expect(out).toContain('client@test  test  client  active');
    expect(out).toContain('system@test  test  -  inactive');
  });

  test('list shows what an API key may do, and whether it has ended', async () => {
    const { admin } = server.services.users;
    const make = (body: object) => client(server.url, admin.token).post('/apikeys', body);
    const expiresAt = new Date(server.services.clock.now().getTime() + 3_600_000);
    expect((await make({ name: 'Till', permissions: ['members:read'], roles: ['client'] })).status).toBe(201);
    const ending = await make({ name: 'Ended', permissions: ['members:read'], expiresAt: expiresAt.toISOString() });
    expect(ending.status).toBe(201);
    // No key can be made that has ended already.
    const ended = { $set: { expiresAt: new Date(0) } };
    await collectionOf(server.services.db, apiKeyResource).updateOne({ name: 'Ended' }, ended);
    const { out } = await run(usersCommand, ['list', '--org', 'test']);
    expect(out).toContainEqual(expect.stringMatching(/^key@\S*:Till {2}test {2}client,members:read {2}active$/));
    expect(out).toContainEqual(expect.stringMatching(/^key@\S*:Ended {2}test {2}members:read {2}inactive$/));
  });

  test('grant makes the first ledger-admin, effective at once and audited', async () => {
    const { admin } = server.services.users;
    const makeOne = () =>
      client(server.url, admin.token).post('/users', {
        username: 'x',
        password: 'a long password',
        roles: ['ledger-admin'],
      });
    expect((await makeOne()).status).toBe(403);
    expect(await run(usersCommand, ['grant', 'admin@test', 'ledger-admin'])).toMatchObject({
      code: 0,
      out: ['admin@test now has admin, ledger-admin'],
    });
    expect((await makeOne()).status).toBe(201);
    const entry = await collectionOf(server.services.db, auditResource).findOne({
      'after.username': 'admin@test',
      via: 'host',
      action: 'update',
    });
    expect(entry).toMatchObject({
      username: 'system@test',
      changed: ['roles'],
      after: { roles: ['admin', 'ledger-admin'] },
    });
  });

  test('revoke takes a role', async () => {
    const { out } = await run(usersCommand, ['revoke', 'client@test', 'client']);
    expect(out).toEqual(['client@test now has no role']);
    expect((await server.as('client').get('/members')).status).toBe(403);
  });

  test('create takes the password from the input', async () => {
    const { code } = await run(
      usersCommand,
      ['create', 'zoe', '--role', 'reader', '--org', 'test'],
      'a long password\n',
    );
    expect(code).toBe(0);
    expect((await logIn('zoe', 'a long password')).status).toBe(200);
  });

  test('password ends the sessions of the user', async () => {
    expect((await server.as('reader').get('/myaccount')).status).toBe(200);
    await run(usersCommand, ['password', 'reader@test'], 'another password');
    expect((await server.as('reader').get('/myaccount')).status).toBe(401);
    expect((await logIn('reader@test', 'another password')).status).toBe(200);
  });

  test.each([
    ['an unknown user', ['grant', 'nobody', 'reader'], '', /^There is no user nobody$/],
    ['an unknown role', ['grant', 'zoe', 'king'], '', /Allowed choices are ledger-admin/],
    ['a short password', ['password', 'zoe'], 'short\n', /^The password must NOT have fewer than 10 characters/],
    [
      'a taken username',
      ['create', 'admin@test', '--org', 'test'],
      'a long password',
      /^The username admin@test is taken; choose another$/,
    ],
    ['an unknown org', ['create', 'y', '--org', 'none'], 'a long password', /^There is no org none$/],
    ['the last word missing', ['grant', 'zoe'], '', /missing required argument/],
  ])('%s fails with one line', async (_name, args, input, message) => {
    const { code, err } = await run(usersCommand, args, input);
    expect(code).toBe(1);
    expect(err).toHaveLength(1);
    expect(err[0]).toMatch(message);
  });

  test('help lists the commands', async () => {
    const { code, out } = await run(usersCommand, ['--help']);
    expect(code).toBe(0);
    expect(out.join('\n')).toMatch(/list[\s\S]*create[\s\S]*grant[\s\S]*revoke[\s\S]*password/);
  });

  test('a command without a database says what to do in one line', async () => {
    const { MONGODB_URI: _none, ...config } = { ...server.services.config, dataDir: '/nonexistent' };
    const { code, err } = await run(usersCommand, ['list'], '', config);
    expect([code, err]).toEqual([1, [expect.stringMatching(/^No database: set MONGODB_URI, or start the service/)]]);
  });
});

describe('orgs', () => {
  test('create makes an org whose admin logs in and sees nothing of others', async () => {
    const { code, out } = await run(orgsCommand, ['create', 'acme', '--admin', 'ann'], 'the password of ann\n');
    expect([code, out[0]]).toEqual([0, expect.stringContaining('Made org acme')]);
    const { body } = await logIn('ann', 'the password of ann');
    const users = await client(server.url, body.token).get('/users');
    expect(users.body.map(({ username }: { username: string }) => username)).toEqual(['system@acme', 'ann']);
    expect((await run(orgsCommand, ['list'])).out.join('\n')).toMatch(/acme .*\n.*test/);
  });

  test.each([
    ['a taken code', ['create', 'test', '--admin', 'new'], /is taken; choose another$/],
    [
      'a taken username',
      ['create', 'fresh', '--admin', 'admin@test'],
      /^The username admin@test is taken; choose another$/,
    ],
    ['a bad code', ['create', 'A b', '--admin', 'new'], /^The code must match pattern/],
    ['no admin', ['create', 'fresh'], /required option '--admin <username>'/],
  ])('%s fails with one line and makes nothing', async (_name, args, message) => {
    const { code, err } = await run(orgsCommand, args, 'a long password');
    expect([code, err]).toEqual([1, [expect.stringMatching(message)]]);
    expect((await run(orgsCommand, ['list'])).out.join()).not.toContain('fresh');
  });
});
