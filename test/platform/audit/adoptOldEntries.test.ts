import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { adoptOldEntries } from '#platform/audit/adoptOldEntries';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { auditResource } from '#records/users/auditEntry';
import { openTestServer } from '../../support/server';

test('entries of version 0.1 are moved into the log once, by whichever process comes first', async () => {
  const { services, close } = await openTestServer();
  const { db, org, users } = services;
  const { userId } = users.admin.principal;
  const before = await collectionOf(db, auditResource).countDocuments({ org: org._id });
  const user = new ObjectId();
  const actions = ['create', 'roles', 'password', 'activation', 'delete'];
  const old = Array.from({ length: 450 }, (_, n) => ({
    org: org._id,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n)),
    createdBy: userId,
    via: 'api',
    action: actions[n % 5],
    user,
    username: `user-${n}`,
    roles: ['reader'],
  }));
  await db.collection('auditentries').insertMany(old);
  const moved = await Promise.all([adoptOldEntries(db), adoptOldEntries(db), adoptOldEntries(db)]);
  expect(moved.reduce((sum, each) => sum + each, 0)).toBe(450);
  expect(await adoptOldEntries(db)).toBe(0);
  const entries = await collectionOf(db, auditResource)
    .find({ org: org._id, id: user.toHexString() })
    .sort({ seq: 1 })
    .toArray();
  expect(entries.map(({ at, seq }) => [at, seq - before])).toEqual(old.map(({ createdAt }, n) => [createdAt, n + 1]));
  expect(entries.slice(0, 5).map(({ action, changed, username }) => [action, changed?.[0], username])).toEqual([
    ['create', undefined, users.admin.username],
    ['update', 'roles', users.admin.username],
    ['update', 'passwordHash', users.admin.username],
    ['update', 'isActive', users.admin.username],
    ['delete', undefined, users.admin.username],
  ]);
  expect((await verifyAudit(db, { org: org._id })).fault).toBeUndefined();
  await close();
});
