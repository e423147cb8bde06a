import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definitionsCommand } from '#commands/definitions';
import { definitionPaths } from '#exchange/definitions/definitionResources';
import { wipeDecision } from '#operations/sandbox/wipedResources';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { resources } from '#server/services/resources';
import { activityApi } from '../../activities/activityApi';
import { richRecords } from '../../support/richRecords';
import { makeKnown } from '../../support/richReferences';
import { openWorld, type World } from '../../support/world';
import { busyWorld, cloneWorld, runOrgs, runWith, type SandboxClients } from './sandboxWorld';

let world: World;
let sandbox: SandboxClients;
beforeAll(async () => {
  world = await openWorld(busyWorld);
  const { server, program, policies } = world;
  const admin = server.as('ledger-admin');
  const known = await makeKnown(admin, program._id.toHexString(), policies[0]?._id.toHexString() ?? '');
  for (const { path, fields, fixed } of richRecords(known).filter((each) => definitionPaths.includes(each.path))) {
    const values = Object.fromEntries(Object.entries(fields).map(([name, [value]]) => [name, value]));
    expect((await admin.post(`/${path}`, { ...fixed, ...values })).status).toBe(201);
  }
  await admin.post('/segments', { name: 'Of main', kind: 'query', query: { program: program._id } });
  await admin.post('/namedlists', { name: 'Members', model: 'Member', ids: known.members });
  sandbox = await cloneWorld(world, 'copy');
});
afterAll(() => world.close());

async function countsOf(org: unknown): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path } of resources)
    counts[path] = await world.services.db.collection(path).countDocuments({ org: org as never });
  return counts;
}

test('a clone has the definitions and the rules in force, and no member, key or other user', async () => {
  for (const at of definitionPaths) {
    const [from, to] = [await world.server.as('admin').get(`/${at}`), await sandbox.as('admin').get(`/${at}`)];
    expect(to.body.map(values)).toEqual(from.body.map(values));
    const ids = new Set(JSON.stringify(from.body.map(ownFields)).match(/[0-9a-f]{24}/g) ?? []);
    expect((JSON.stringify(to.body.map(ownFields)).match(/[0-9a-f]{24}/g) ?? []).filter((id) => ids.has(id))).toEqual(
      [],
    );
  }
  const rules = (await sandbox.as('admin').get('/rules')).body;
  expect(rules.map(({ key }: { key: string }) => key).sort()).toEqual(['birthday', 'earn', 'redeem']);
  const counts = await countsOf(sandbox.org._id);
  for (const name of ['members', 'accrualitems', 'journal', 'activityhistories'])
    expect([name, counts[name]]).toEqual([name, 0]);
  expect((await sandbox.as('admin').get('/users')).body.map(({ username }: { username: string }) => username)).toEqual(
    expect.arrayContaining(['system@copy', 'boss@copy']),
  );
});

function ownFields({ _id, org, createdAt, updatedAt, createdBy, updatedBy, ext, ...own }: Record<string, unknown>) {
  return own.model === 'Member' ? { ...own, ids: [] } : own;
}

/** What an answer says without ids. */
function values(record: Record<string, unknown>): unknown {
  return JSON.parse(JSON.stringify(ownFields(record)).replace(/[0-9a-f]{24}/g, 'an id'));
}

test('the rules of a clone earn without a folder, and a file of one program replaces only this program', async () => {
  const { body: member } = await sandbox.as('client').post('/members', { program: sandbox.program });
  const { body } = await sandbox
    .as('client')
    .post('/activity', { type: 'Accrual', memberID: member._id, value: 12, srcChannelType: 'Web' });
  expect(body.result.data.status).toBe('Processed');
  expect((await sandbox.as('admin').post('/rules/reload', {})).status).toBeLessThan(500);
  expect((await sandbox.as('admin').get('/rules')).body).toHaveLength(3);
});

test.each([
  [
    'another org than that of a sandbox',
    ['wipe', 'test', '--yes'],
    /^The org test is no sandbox: only sandboxes are wiped or removed$/,
  ],
  ['the removal of a real org', ['remove', 'test', '--yes'], /^The org test is no sandbox/],
  ['an org that there is not', ['wipe', 'nobody', '--yes'], /^There is no org nobody$/],
  ['a clone that is no sandbox', ['clone', 'test', '--admin', 'x'], /required option '--sandbox'/],
  [
    'a taken code',
    ['clone', 'test', '--sandbox', '--code', 'copy', '--admin', 'x'],
    /^The code copy is taken; choose another$/,
  ],
  [
    'a taken admin',
    ['clone', 'test', '--sandbox', '--code', 'copy2', '--admin', 'boss@copy'],
    /^The username boss@copy is taken; choose another$/,
  ],
  ['a bad code', ['clone', 'test', '--sandbox', '--code', 'No Good', '--admin', 'x'], /^The code must match/],
  ['a wipe without yes', ['wipe', 'copy'], /^Delete the members of copy/],
])('%s is refused, and nothing changes', async (_what, args, line) => {
  const before = [await countsOf(world.services.org._id), await countsOf(sandbox.org._id)];
  const { code, err } = await runOrgs(world, args, args[0] === 'clone' ? 'a long password\n' : 'no\n');
  expect([code, err[0]]).toEqual([1, expect.stringMatching(line)]);
  expect([await countsOf(world.services.org._id), await countsOf(sandbox.org._id)]).toEqual(before);
});

test('a wipe deletes data of members and nothing else, in no other org; nobody can write until it ends', async () => {
  const { server, services } = world;
  const client = sandbox.as('client');
  const { body: member } = await client.post('/members', { program: sandbox.program, birthDate: '1990-01-01' });
  for (const path of ['/activity', '/activity?async=true']) {
    expect(
      (await client.post(path, { type: 'Accrual', memberID: member._id, value: 5, srcChannelType: 'Web' })).status,
    ).toBeLessThan(300);
  }
  await world.addMember();
  const [real, before] = [await countsOf(services.org._id), await countsOf(sandbox.org._id)];
  const wiping = sandbox.as('admin').post('/sandbox/wipe', {});
  const refused = await untilClosed(() => client.post('/members', { program: sandbox.program }));
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('being emptied') } });
  expect((await client.get('/members')).status).toBe(200);
  expect((await sandbox.as('admin').post('/sandbox/wipe', {})).status).toBe(409);
  expect((await wiping).status).toBe(200);
  const after = await countsOf(sandbox.org._id);
  for (const resource of resources) {
    const { path } = resource;
    // The log tells of the wipe.
    const kept = (before[path] ?? 0) + (path === 'auditlog' ? 1 : 0);
    expect([path, after[path]]).toEqual([path, wipeDecision(resource) === 'wiped' ? 0 : kept]);
  }
  expect(await countsOf(services.org._id)).toEqual(real);
  expect((await client.post('/members', { program: sandbox.program })).status).toBe(201);
  expect((await server.as('admin').get('/members/count')).status).toBe(200);
});

/** Writes until the sandbox is closed. */
async function untilClosed<T extends { status: number }>(write: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await write();
    if (answer.status !== 201) return answer;
  }
}

test('all that an activity stores is in resources that a wipe deletes', async () => {
  // Everything that activities store in the real org is stored in resources that a wipe deletes.
  const acting = activityApi(world);
  const before = await acting.dump();
  const member = await world.addMember();
  await acting.processed('Accrual', member._id, { value: 10 });
  const after = await acting.dump();
  const grown = Object.keys(after).filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  expect(grown).toEqual(expect.arrayContaining(['activityhistories', 'journal']));
  const kept = grown.filter((name) => resources.some((each) => each.path === name && wipeDecision(each) !== 'wiped'));
  expect(kept.filter((name) => name !== 'programs')).toEqual([]);
});

test('every resource declares what a wipe does with it', () => {
  const unsaid = resources.filter((each) => wipeDecision(each) === undefined).map(({ name }) => name);
  expect(unsaid).toEqual([]);
});

test('a sandbox is removed with everything in it', async () => {
  const other = await cloneWorld(world, 'gone');
  expect(await runOrgs(world, ['remove', 'gone', '--yes'])).toMatchObject({ code: 0 });
  expect(Object.values(await countsOf(other.org._id)).filter((count) => count > 0)).toEqual([]);
  expect((await runOrgs(world, ['list'])).out.join('\n')).not.toContain('gone');
  expect((await other.as('admin').get('/programs')).status).toBe(401);
});

test('the command clones, its admin logs in, and the list names the sandbox and its time', async () => {
  const args = ['clone', 'test', '--sandbox', '--admin', 'fresh'];
  expect(await runOrgs(world, args, 'the password of fresh\n')).toMatchObject({
    code: 0,
    out: [expect.stringMatching(/^Made sandbox test-sandbox \([0-9a-f]{24}\) of test with admin fresh$/)],
    err: expect.arrayContaining(['2 pursepolicies', '3 rules']),
  });
  const { body } = await world.server.anonymous.post('/login', {
    username: 'fresh',
    password: 'the password of fresh',
  });
  expect(body.token).toEqual(expect.any(String));
  expect((await runOrgs(world, ['list'])).out.join('\n')).toMatch(
    /^test-sandbox {2}\w+ {2}sandbox, its clock says \d{4}-/m,
  );
  expect(await runOrgs(world, ['wipe', 'test-sandbox', '--yes', '--reset-clock'])).toMatchObject({
    code: 0,
    out: ['Wiped test-sandbox'],
  });
  const { db } = world.services;
  const org = await db.collection('orgs').findOne({ code: 'test-sandbox' });
  const entries = await db.collection('auditlog').find({ org: org?._id }).sort({ seq: 1 }).toArray();
  const actual = entries.map(({ action, resource, via, username }) => [action, resource, via, username].join(' '));
  expect(actual).toEqual([
    'create orgs host system@test-sandbox',
    'create users host system@test-sandbox',
    'create users host system@test-sandbox',
    'publish rulesets host system@test-sandbox',
    'wipe orgs host system@test-sandbox',
  ]);
  expect([entries[0]?.after, entries[4]?.after]).toEqual([
    { code: 'test-sandbox', clonedFrom: 'test' },
    { resetsClock: true },
  ]);
  expect((await verifyAudit(db, { org: org?._id as never })).fault).toBeUndefined();
});

test('rules go from staging to production as docs/operating.md describes', async () => {
  const staging = await cloneWorld(world, 'staging');
  const admin = staging.as('admin');
  const { status } = await admin.post('/offers', { code: 'NEW', name: 'New', program: staging.program });
  expect(status).toBe(201);
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-staging-'));
  const file = path.join(folder, 'definitions.yaml');
  const definitions = (...args: string[]) => runWith(world, definitionsCommand, args);
  try {
    expect(await definitions('export', '--org', 'staging', '--out', file)).toMatchObject({ code: 0 });
    const actual = await definitions('diff', file, '--org', 'test');
    expect([actual.code, actual.out.filter((line) => /^[+~-] /.test(line))]).toEqual([1, ['+ offers NEW']]);
    expect(await definitions('apply', file, '--org', 'test', '--yes')).toMatchObject({ code: 0 });
    expect(await definitions('diff', file, '--org', 'test')).toMatchObject({ code: 0 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
