import { ObjectId } from 'bson';
import fc from 'fast-check';
import { collectionOf } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { type AuditEntry, auditResource } from '#records/users/auditEntry';
import { orgResource } from '#records/users/org';
import { openTestServer, type TestServer } from '../../support/server';
import type { TestServices } from '../../support/services';
import { untilAnswered } from '../../support/untilAnswered';

/** Whoever changes the audit log in the database is found out (docs/design/audit.md). */
let server: TestServer & { services: TestServices };
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const length = 12;
const at = new Date('2026-03-01T10:00:00.000Z');

/** A log of {@link length} entries in an org of its own. */
async function makeLog(): Promise<{ org: ObjectId; entries: AuditEntry[] }> {
  const { db } = server.services;
  const org = new ObjectId();
  const author = { org, userId: new ObjectId(), username: 'ada', via: 'api' as const, ip: '10.0.0.1', requestId: 'r' };
  const stamps = { createdAt: at, updatedAt: at, createdBy: author.userId, updatedBy: author.userId };
  await collectionOf(db, orgResource).insertOne({
    ...stamps,
    _id: org,
    org,
    code: `o${org}`,
    systemUser: author.userId,
  });
  for (let made = 0; made < length; made += 4) {
    const changes = [0, 1, 2, 3].map((n) => ({
      action: 'update',
      resource: 'programs',
      id: new ObjectId(),
      changed: ['name'],
      before: { n: made + n, deep: [{ at }] },
      after: { n: made + n + 1, text: 'é "\\u0041' },
    }));
    await inTransaction(db, (session) => audit(db, session, author, new Date(at.getTime() + made), changes));
  }
  return { org, entries: await log().find({ org }).sort({ seq: 1 }).toArray() };
}

const log = () => collectionOf(server.services.db, auditResource);
const check = (org: ObjectId, expect?: string) => verifyAudit(server.services.db, { org, expect });

type Tamper = (entries: AuditEntry[], place: number, org: ObjectId) => Promise<unknown>;

const set =
  (fields: object): Tamper =>
  (entries, place) =>
    log().updateOne({ _id: entries[place]?._id as ObjectId }, { $set: fields });

const tampers: Record<string, Tamper> = {
  'another user': set({ user: new ObjectId() }),
  'another name': set({ username: 'eve' }),
  'another moment': set({ at: new Date('2026-03-01T10:00:00.999Z') }),
  'another address': set({ ip: '10.0.0.2' }),
  'no address': (entries, place) => log().updateOne({ _id: entries[place]?._id as ObjectId }, { $unset: { ip: '' } }),
  'another action': set({ action: 'delete' }),
  'another resource': set({ resource: 'users' }),
  'another id': set({ id: 'x' }),
  'other fields': set({ changed: [] }),
  'another value before': set({ 'before.n': 99 }),
  'another value deep within': set({ 'before.deep.0.at': 'never' }),
  'another value after': set({ 'after.text': 'e' }),
  'one more value': set({ 'after.more': true }),
  'one more field': set({ note: 'x' }),
  'another hash': set({ hash: 'a'.repeat(64) }),
  'another maker': set({ createdBy: new ObjectId() }),
  'an entry is gone': (entries, place) => log().deleteOne({ _id: entries[place]?._id as ObjectId }),
  'the beginning is gone': (_entries, place, org) => log().deleteMany({ org, seq: { $lte: place + 1 } }),
  'the end is gone': (_entries, place, org) => log().deleteMany({ org, seq: { $gt: place } }),
  'one was added at the end': (entries, place, org) =>
    log().insertOne({ ...(entries[place] as AuditEntry), _id: new ObjectId(), org, seq: length + 1 }),
  'two are swapped': async (entries, place, org) => {
    const [one, two] = [entries[place], entries[(place + 1) % length]] as [AuditEntry, AuditEntry];
    await log().deleteMany({ org, _id: { $in: [one._id, two._id] } });
    await log().insertMany([
      { ...one, seq: two.seq },
      { ...two, seq: one.seq },
    ]);
  },
  'the contents of two are swapped': async (entries, place, org) => {
    const [one, two] = [entries[place], entries[(place + 1) % length]] as [AuditEntry, AuditEntry];
    await log().deleteMany({ org, _id: { $in: [one._id, two._id] } });
    await log().insertMany([
      { ...two, _id: one._id, seq: one.seq },
      { ...one, _id: two._id, seq: two.seq },
    ]);
  },
  'the org keeps another number': (_entries, place, org) =>
    collectionOf(server.services.db, orgResource).updateOne({ _id: org }, { $set: { 'auditHead.seq': place } }),
  'the org keeps another hash': (_entries, _place, org) =>
    collectionOf(server.services.db, orgResource).updateOne(
      { _id: org },
      { $set: { 'auditHead.hash': 'b'.repeat(64) } },
    ),
  'the org keeps none': (_entries, _place, org) =>
    collectionOf(server.services.db, orgResource).updateOne({ _id: org }, { $unset: { auditHead: '' } }),
};

test('an untouched log has no fault', async () => {
  const { org, entries } = await makeLog();
  expect(await check(org)).toEqual({
    entries: length,
    head: { seq: length, hash: entries.at(-1)?.hash },
    fault: undefined,
  });
  for (const { hash } of entries) expect((await check(org, hash)).fault).toBeUndefined();
  expect((await check(org, 'c'.repeat(64))).fault).toMatch(/expected hash/);
});

test.each(Object.entries(tampers))('the check finds the place of the tampering: %s', async (_name, tamper) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: length - 1 }), async (place) => {
      const { org, entries } = await makeLog();
      await tamper(entries, place, org);
      const { fault } = await check(org);
      expect(fault).toMatch(/\b\d+\b/);
    }),
    { numRuns: 2 },
  );
});

test('tampering with new hashes is found by a hash that was noted elsewhere', async () => {
  const { org, entries } = await makeLog();
  const noted = entries[7]?.hash ?? '';
  await log().deleteMany({ org });
  await collectionOf(server.services.db, orgResource).updateOne({ _id: org }, { $unset: { auditHead: '' } });
  const author = { org, userId: new ObjectId(), username: 'eve' };
  for (const { action, resource, id } of entries) {
    const change = { action, resource, id };
    await inTransaction(server.services.db, (session) => audit(server.services.db, session, author, at, [change]));
  }
  expect((await check(org)).fault).toBeUndefined();
  expect((await check(org, noted)).fault).toMatch(/expected hash/);
});

test('a change that is not committed leaves no entry, and the next entry has its number', async () => {
  const { org } = await makeLog();
  const { db } = server.services;
  const author = { org, userId: new ObjectId(), username: 'ada' };
  const change = { action: 'create', resource: 'programs', id: 'x' };
  const failing = inTransaction(db, async (session) => {
    await audit(db, session, author, at, [change]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await inTransaction(db, (session) => audit(db, session, author, at, [change]));
  expect(await check(org)).toMatchObject({ entries: length + 1, fault: undefined });
});

test('a check finds no fault while requests continue', async () => {
  const { org, db } = server.services;
  const admin = server.as('admin');
  const checks: (string | undefined)[] = [];
  let isWriting = true;
  const checking = (async () => {
    while (isWriting) checks.push((await check(org._id)).fault);
  })();
  const posts = Array.from({ length: 40 }, (_, n) => {
    const headers = { 'idempotency-key': `product-${n}` };
    return untilAnswered(() => admin.post('/products', { sku: `P-${n}`, name: `Product ${n}` }, { headers }));
  });
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  isWriting = false;
  await checking;
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect(new Set(checks)).toEqual(new Set([undefined]));
  expect(await log().countDocuments({ org: org._id, resource: 'products', action: 'create' })).toBe(40);
  expect((await verifyAudit(db, { org: org._id })).fault).toBeUndefined();
});
