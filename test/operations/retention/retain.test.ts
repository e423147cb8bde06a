import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import { reconcile } from '#members/reconcile/reconcile';
import { retain } from '#operations/retention/retain';
import { audit } from '#platform/audit/audit';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { readConfig } from '#platform/infrastructure/config';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { auditResource } from '#records/users/auditEntry';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

/** What the service deletes after the days that settings name (docs/operating.md). */
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});
afterAll(() => world.close());

const run = (settings: object) =>
  retain(
    { ...world.services, config: { ...world.services.config, ...settings } },
    { org: world.services.org._id, now: world.services.clock.now() },
  );

const post = async (fields: object) => (await acting.post(fields)).body.result.data.activityId as string;

describe('histories', () => {
  test('go when they are old and nothing needs them; points, counts and the journal stay right', async () => {
    const { services } = world;
    const admin = world.server.as('admin');
    const { _id: memberID } = await world.addMember();
    const spent = await post({ type: 'Accrual', memberID, value: 10, externalTxnId: 'old-1' });
    const used = await post({ type: 'Redemption', memberID, value: 10 });
    const open = await post({ type: 'Accrual', memberID, value: 7 });
    const later = [];
    for (let n = 0; n < 3; n += 1) later.push(await post({ type: 'Accrual', memberID, value: 1 }));
    await rollUp(services, { org: services.org._id, now: services.clock.now() });
    services.clock.advance(100 * 86_400_000);
    expect(await run({ RETAIN_HISTORIES: 0 })).toEqual({ histories: 0, auditEntries: 0 });
    expect(await run({ RETAIN_HISTORIES: 120 })).toMatchObject({ histories: 0 });
    expect(await run({ RETAIN_HISTORIES: 90 })).toMatchObject({ histories: 2 });
    expect(await run({ RETAIN_HISTORIES: 90 })).toMatchObject({ histories: 0 });
    const left = await collectionOf(services.db, activityHistoryResource).find({ memberID }).toArray();
    expect(left.map(({ _id }) => _id.toHexString()).sort()).toEqual([open, ...later].sort());
    expect((await admin.get(`/activityhistories/${spent}`)).status).toBe(404);
    const cancel = { externalTxnId: 'cancel-old' };
    expect((await admin.post(`/activity/${used}/cancel`, cancel)).status).toBe(404);
    expect(await acting.post({ type: 'Accrual', memberID, value: 10, externalTxnId: 'old-1' })).toBeRefused(410, 1510);
    const counted = (await admin.get('/activityhistories/count')).body.count;
    expect(counted).toBe(
      await collectionOf(services.db, activityHistoryResource).countDocuments({ org: services.org._id }),
    );
    const mismatches: unknown[] = [];
    const found = await reconcile(services, { org: services.org._id, onMismatch: (each) => mismatches.push(each) });
    expect([mismatches, found.mismatches]).toEqual([[], 0]);
    const [purse] = (await admin.get(`/members/${memberID}/purses`)).body;
    expect(purse.balance).toBe(10);
  });
});

describe('the audit log', () => {
  test('loses its beginning, and the rest can still be verified', async () => {
    const { services } = world;
    const { db, clock } = services;
    const org = services.org._id;
    const author = { org, userId: services.org.systemUser };
    const log = collectionOf(db, auditResource);
    const append = () =>
      inTransaction(db, (session) =>
        audit(db, session, author, clock.now(), [
          { action: 'update', resource: 'programs', id: new ObjectId() },
          { action: 'update', resource: 'programs', id: new ObjectId() },
        ]),
      );
    for (let n = 0; n < 3; n += 1) {
      await append();
      clock.advance(31 * 86_400_000);
    }
    await append();
    const before = await log.countDocuments({ org });
    const { auditEntries } = await run({ RETAIN_AUDIT: 40 });
    expect(auditEntries).toBeGreaterThan(4);
    expect(await log.countDocuments({ org })).toBe(before - auditEntries + 1);
    expect((await verifyAudit(db, { org })).fault).toBeUndefined();
    expect(await run({ RETAIN_AUDIT: 40 })).toMatchObject({ auditEntries: 0 });
    clock.advance(50 * 86_400_000);
    await append();
    expect((await run({ RETAIN_AUDIT: 40 })).auditEntries).toBeGreaterThan(1);
    expect((await verifyAudit(db, { org })).fault).toBeUndefined();
    const first = await log.findOne({ org }, { sort: { seq: 1 } });
    await log.deleteOne({ _id: first?._id as ObjectId });
    expect((await verifyAudit(db, { org })).fault).toMatch(/missing/);
  });
});

test.each([
  ['RETAIN_HISTORIES', '89', false],
  ['RETAIN_HISTORIES', '90', true],
  ['RETAIN_HISTORIES', '0', true],
  ['RETAIN_HISTORIES', '-1', false],
  ['RETAIN_AUDIT', '29', false],
  ['RETAIN_AUDIT', '30', true],
  ['RETAIN_KEYS', '0', false],
  ['RETAIN_KEYS', '1', true],
  ['RETAIN_JOBS', '0', false],
  ['RETAIN_JOBS', 'x', false],
])('the setting %s=%s is read or refused', (name, value, isTaken) => {
  const read = () => readConfig({ [name]: value });
  if (isTaken) expect(read()).toMatchObject({ [name]: Number(value) });
  else expect(read).toThrow(name);
});
