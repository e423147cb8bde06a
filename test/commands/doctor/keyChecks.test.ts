import { ObjectId } from 'bson';
import type { Deployment } from '#commands/doctor/check';
import { keyChecks } from '#commands/doctor/keyChecks';
import { runChecks } from '#commands/doctor/runChecks';
import { openTestServer } from '../../support/server';

/** What the doctor says of API keys (docs/design/doctor.md). */
let server: Awaited<ReturnType<typeof openTestServer>>;
let at: Deployment;
beforeAll(async () => {
  server = await openTestServer();
  const { config, db, redis } = server.services;
  at = { config, db, redis, isEmbedded: true, now: new Date(), nodeVersion: 'v24.1.0' };
});
afterAll(() => server.close());

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

async function addKey(name: string, stored: object): Promise<void> {
  const { status, body } = await server.as('admin').post('/apikeys', { name, roles: ['reader'] });
  expect(status).toBe(201);
  await at.db.collection('apikeys').updateOne({ _id: new ObjectId(body._id) }, { $set: stored });
}

async function findings() {
  const [endless, unused] = await runChecks(at, [keyChecks]);
  return { endless, unused };
}

test('without keys all is well', async () => {
  expect(await findings()).toMatchObject({ endless: { status: 'ok' }, unused: { status: 'ok' } });
});

test('keys that never end, and valid ones that nothing used for 90 days, are named', async () => {
  const expiresAt = new Date('2099-01-01');
  await addKey('Never', { createdAt: daysAgo(91) });
  await addKey('Long ago', { createdAt: daysAgo(200), lastUsedAt: daysAgo(91), expiresAt });
  await addKey('Used', { createdAt: daysAgo(200), lastUsedAt: daysAgo(89), expiresAt });
  await addKey('New', { createdAt: daysAgo(89), expiresAt });
  await addKey('Ended', { createdAt: daysAgo(200), expiresAt: daysAgo(1) });
  const { endless, unused } = await findings();
  expect(endless).toMatchObject({
    name: 'keys.endless',
    status: 'warning',
    advice: expect.stringMatching(/expiresAt/),
    found: expect.stringMatching(/^1: test\/Never \(lk_[0-9a-f]{24}\)$/),
  });
  expect(unused).toMatchObject({
    name: 'keys.unused',
    status: 'warning',
    advice: expect.stringMatching(/^Delete/),
    found: expect.stringMatching(/^2: test\/Never \(\w+\), test\/Long ago \(\w+\)$/),
  });
});

test('a finding names at most 20 keys, and counts the others', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => addKey(`Key ${n}`, {})));
  const { endless } = await findings();
  expect(endless?.found).toMatch(/^21: test\/Never .*, and 1 more$/);
  expect(endless?.found.match(/lk_/g)).toHaveLength(20);
});
