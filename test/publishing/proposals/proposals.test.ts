import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makePolicy, makeProgram } from '../../support/definitions';
import { openTestServer, serveTest } from '../../support/server';
import { openAlongside } from '../../support/services';
import { earn, writeRules } from '../rulesets/store';

let server: Awaited<ReturnType<typeof openTestServer>>;
let rulesDir: string;
beforeAll(async () => {
  rulesDir = await mkdtemp(path.join(tmpdir(), 'loyalty-rules-'));
  server = await openTestServer({ rulesDir, ORG: 'test', RULES_APPROVAL: 'on' });
  const { db, users } = server.services;
  const author = users.admin.principal;
  await makePolicy(db, author, await makeProgram(db, author, { code: 'shop' }));
  await writeRules(path.join(rulesDir, 'shop/earn.json'), [earn('a', 1), earn('b', 2)]);
  await server.services.ruleSets.publish(author.org);
});
afterAll(async () => {
  await server.close();
  await rm(rulesDir, { recursive: true, force: true });
});

const manager = () => server.as('program-manager');
const admin = () => server.as('admin');
const onDisk = (file: string) => readFile(path.join(rulesDir, file), 'utf8');
const version = async () => (await manager().get('/rulesets/current')).body.version;
const textOf = (...rules: object[]) => JSON.stringify(rules, null, 2);

/** Asks for a file with one rule, as a program manager. */
async function proposed(name: string, points = 5, more: object = {}) {
  const files = [{ path: `shop/${name}.json`, text: textOf(earn(name, points)), ...more }];
  const { status, body, headers } = await manager().post('/rules/publish', { files, reason: `more for ${name}` });
  expect({ status, body }).toMatchObject({ status: 202, body: { _id: expect.any(String), status: 'Pending' } });
  expect(headers.get('location')).toBe(`/api/v1/rules/proposals/${body._id}`);
  return body._id as string;
}
const approve = (id: string, as = admin(), body: object = {}) => as.post(`/rules/proposals/${id}/approve`, body);
const reject = (id: string, as = admin(), body: object = { reason: 'too much' }) =>
  as.post(`/rules/proposals/${id}/reject`, body);

test('publishing stores a proposal, which comes into force exactly when another user approves it', async () => {
  const before = await version();
  const id = await proposed('first', 7, { hash: 'none' });
  expect(await version()).toBe(before);
  expect(await readdir(path.join(rulesDir, 'shop'))).toEqual(['earn.json']);
  expect((await manager().get(`/rules/proposals/${id}`)).body).toEqual({
    _id: id,
    org: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    createdBy: server.services.users['program-manager'].principal.userId.toHexString(),
    updatedBy: expect.any(String),
    status: 'Pending',
    action: 'publish',
    proposer: 'program-manager@test',
    reason: 'more for first',
    paths: ['shop/first.json'],
    version: before,
    endsAt: expect.any(String),
    files: [{ path: 'shop/first.json', text: textOf(earn('first', 7)) }],
    isOutdated: false,
  });

  const { status, body } = await approve(id, admin(), { reason: 'as agreed' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { status: 'Approved', published: before + 1, decider: 'admin@test', decisionReason: 'as agreed' },
  });
  expect(await onDisk('shop/first.json')).toBe(textOf(earn('first', 7)));
  expect(await version()).toBe(before + 1);
  const { body: overview } = await manager().get('/rules/overview');
  expect(overview).toMatchObject({ needsApproval: true });
  expect(overview.rules.map(({ key }: { key: string }) => key)).toContain('first');
  // It stays to be read.
  const { body: kept } = await manager().get('/rules/proposals?status=Approved');
  expect(kept).toMatchObject([{ _id: id, published: before + 1 }]);
  expect(kept[0].files).toBeUndefined();
});

test('a proposal is approved neither by its author, an API key nor a user who may not publish', async () => {
  const [id, before] = [await proposed('own'), await version()];
  expect(await approve(id, manager())).toBeRefused(403, 1140);
  expect(await approve(id, server.as('reader'))).toBeRefused(403, 1130);
  expect((await reject(id, server.as('client'))).status).toBe(403);
  const made = await admin().post('/apikeys', { name: 'Robot', permissions: ['rules:publish'] });
  const robot = server.withToken(made.body.key);
  expect(await approve(id, robot)).toBeRefused(403, 1130);
  expect(await reject(id, robot)).toBeRefused(403, 1130);
  expect(await version()).toBe(before);
  // A proposer withdraws by a rejection.
  expect((await reject(id, manager(), { reason: 'a mistake' })).status).toBe(200);
});

test('a rejection says why and ends the proposal', async () => {
  const [id, before] = [await proposed('rejected'), await version()];
  expect(await reject(id, admin(), {})).toMatchObject({ status: 422, body: { errors: [{ path: 'reason' }] } });
  const { body } = await reject(id, admin(), { reason: 'too much' });
  expect(body).toMatchObject({ status: 'Rejected', decider: 'admin@test', decisionReason: 'too much' });
  for (const late of [await approve(id), await reject(id)]) {
    expect(late).toBeRefused(409, 1290);
  }
  expect(await version()).toBe(before);
  expect((await manager().get(`/rules/proposals/${id}`)).body.files).toHaveLength(1);
});

test('an approval after the files changed is 412 and changes nothing; the proposal says so and waits', async () => {
  const text = textOf(earn('a', 9));
  const files = [{ path: 'shop/earn.json', text }];
  const { body: proposal } = await manager().post('/rules/publish', { files });
  const { body: read } = await manager().get(`/rules/proposals/${proposal._id}`);
  expect(read.files).toEqual([{ path: 'shop/earn.json', before: await onDisk('shop/earn.json'), text }]);
  await writeRules(path.join(rulesDir, 'shop/earn.json'), [earn('a', 1), earn('b', 3)]);
  await manager().post('/refreshcache?entity=Rule');
  const [before, now] = [await version(), await onDisk('shop/earn.json')];
  expect(await approve(proposal._id)).toBeRefused(412, 1280);
  expect([await version(), await onDisk('shop/earn.json')]).toEqual([before, now]);
  const { body: after } = await manager().get(`/rules/proposals/${proposal._id}`);
  expect(after).toMatchObject({ status: 'Pending', isOutdated: true });
  await reject(proposal._id);
});

test('files with a fault are no proposal, and an approval makes the checks again', async () => {
  const count = async () => (await manager().get('/rules/proposals/count')).body.count;
  const before = await count();
  const wrong = await manager().post('/rules/publish', { files: [{ path: 'shop/x.json', text: '[{}]' }] });
  expect(wrong).toMatchObject({
    status: 422,
    body: {
      errors: expect.arrayContaining([
        expect.objectContaining({ kind: 'rule', message: expect.any(String), path: expect.any(String) }),
      ]),
    },
  });
  const late = await manager().post('/rules/publish', { files: [{ path: 'shop/earn.json', text: '[]', hash: 'old' }] });
  expect(late.status).toBe(412);
  expect(await count()).toBe(before);

  const id = await proposed('clash');
  await writeRules(path.join(rulesDir, 'shop/other.json'), [earn('clash', 1)]);
  expect(await approve(id)).toMatchObject({ status: 422, body: { errors: [{ kind: 'rule' }] } });
  expect(await readdir(path.join(rulesDir, 'shop'))).not.toContain('clash.json');
  await rm(path.join(rulesDir, 'shop/other.json'));
  expect((await approve(id)).status).toBe(200);
});

test('an equal proposal of one user is stored once', async () => {
  const [one, again, another] = [await proposed('twice'), await proposed('twice'), await proposed('twice', 6)];
  expect(again).toBe(one);
  expect(another).not.toBe(one);
  const { body } = await admin().post('/rules/publish', {
    files: [{ path: 'shop/twice.json', text: textOf(earn('twice', 5)) }],
  });
  expect(body._id).not.toBe(one);
  for (const id of [one, another, body._id]) await reject(id);
});

test('two approvals at once, at two processes, publish once', async () => {
  const other = await openAlongside(server.services);
  const beside = await serveTest({ ...server.services, ...other });
  try {
    const before = await version();
    const id = await proposed('once');
    const answers = await Promise.all([
      approve(id),
      approve(id, beside.as('ledger-admin')),
      approve(id),
      reject(id, beside.as('ledger-admin')),
    ]);
    const decided = answers.filter(({ status }) => status === 200);
    expect(decided).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 1290)).toHaveLength(3);
    const { body } = await manager().get(`/rules/proposals/${id}`);
    expect(await version()).toBe(body.status === 'Approved' ? before + 1 : before);
  } finally {
    await beside.close();
    await other.close();
  }
});

test('an approval that was interrupted by the end of its process is done by the next one', async () => {
  const { db } = server.services;
  const id = await proposed('killed');
  const proposals = db.collection('ruleproposals');
  const claim = (claimedUntil: Date) => proposals.updateOne({ paths: 'shop/killed.json' }, { $set: { claimedUntil } });
  await claim(new Date(Date.now() + 60_000));
  expect(await approve(id)).toBeRefused(409, 1290);
  await claim(new Date(Date.now() - 1));
  await writeRules(path.join(rulesDir, 'shop/killed.json'), []);
  expect((await approve(id)).status).toBe(412);
  await writeFile(path.join(rulesDir, 'shop/killed.json'), textOf(earn('killed', 5)));
  expect((await approve(id)).body).toMatchObject({ status: 'Approved', published: await version() });
});

test('a proposal can be approved for 30 days, and 50 may wait', async () => {
  const { clock, org } = server.services;
  const id = await proposed('old');
  clock.advance(30 * 86_400_000);
  expect(await approve(id)).toBeRefused(409, 1290);
  const waiting = server.services.db.collection('ruleproposals');
  const one = await waiting.findOne({ org: org._id, status: 'Pending' });
  const { _id, ...rest } = one ?? {};
  const endsAt = new Date(clock.now().getTime() + 1000);
  await waiting.insertMany(Array.from({ length: 50 }, () => ({ ...rest, endsAt, paths: ['filler'] })));
  const files = [{ path: 'shop/more.json', text: textOf(earn('more', 5)) }];
  const full = await manager().post('/rules/publish', { files });
  expect(full).toMatchObject({ status: 422, body: { errors: [{ kind: 'maximum' }] } });
  await waiting.deleteMany({ paths: 'filler' });
  await reject(await proposed('more'));
});

describe('POST /rulesets/schedule', () => {
  const ahead = (ms = 86_400_000) => new Date(server.services.clock.now().getTime() + ms).toISOString();

  test('schedules files when they are approved, unless their program changed in the meantime', async () => {
    const from = ahead();
    const names = await readdir(path.join(rulesDir, 'shop'));
    const others = await Promise.all(
      names.map(async (name) => ({ path: `shop/${name}`, text: await onDisk(`shop/${name}`) })),
    );
    const files = [...others, { path: 'shop/later.json', text: textOf(earn('later', 5)) }];
    const before = await version();
    const { status, body } = await manager().post('/rulesets/schedule', { from, files });
    expect({ status, body }).toMatchObject({ status: 202, body: { action: 'schedule', from } });
    const { body: read } = await manager().get(`/rules/proposals/${body._id}`);
    expect(read.files).toEqual([{ path: 'shop/later.json', text: textOf(earn('later', 5)) }]);
    expect((await manager().get('/rulesets/current')).body.scheduled ?? []).toEqual([]);

    await writeRules(path.join(rulesDir, 'shop/meanwhile.json'), [earn('meanwhile', 1)]);
    expect((await approve(body._id)).status).toBe(412);
    await rm(path.join(rulesDir, 'shop/meanwhile.json'));
    const { body: approved } = await approve(body._id);
    expect(approved).toMatchObject({ status: 'Approved', published: expect.any(Number) });
    expect((await manager().get('/rulesets/current')).body).toMatchObject({
      version: before,
      scheduled: [{ version: approved.published, from }],
    });
    // What was only scheduled does not come into force by a rollback.
    expect(await manager().post(`/rulesets/${approved.published}/rollback`, {})).toBeRefused(403, 1130);
    expect((await manager().post(`/rulesets/${approved.published}/withdraw`, {})).status).toBe(200);
  });

  test('schedules an earlier version too, and refuses an instant that is past by then', async () => {
    const { body } = await manager().post('/rulesets/schedule', { from: ahead(5000), version: 1 });
    expect(body).toMatchObject({ status: 'Pending', ruleSet: 1, paths: [] });
    server.services.clock.advance(5000);
    expect(await approve(body._id)).toMatchObject({ status: 422, body: { errors: [{ path: 'from' }] } });
    const unknown = await manager().post('/rulesets/schedule', { from: ahead(), version: 9999 });
    expect(unknown.status).toBe(404);
  });

  test('rolls back at once to rules that were in force', async () => {
    expect((await manager().post('/rulesets/1/rollback', {})).status).toBe(200);
    expect((await manager().get('/rulesets/current')).body).toMatchObject({ rollbackOf: 1 });
  });
});

test('the audit log has who proposed, approved and rejected', async () => {
  const { body } = await admin().get('/auditlog?resource=ruleproposals&limit=1000&sort=seq');
  const actions = body.map(({ action, username }: { action: string; username: string }) => `${action} ${username}`);
  expect(actions.slice(0, 2)).toEqual(['propose program-manager@test', 'approve admin@test']);
  expect(new Set(actions.map((each: string) => each.split(' ')[0]))).toEqual(new Set(['propose', 'approve', 'reject']));
  expect(JSON.stringify(body)).not.toContain('activityTypes');
});
