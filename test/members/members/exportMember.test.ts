import { resources } from '#server/services/resources';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, type World } from '../../support/world';

/** All that is stored about a member (docs/design/members.md). */
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  acting = activityApi(world);
});
afterAll(() => world.close());

const admin = () => world.server.as('admin');

test('an export of a member has every record about it and those merged into it, and none about others', async () => {
  const { services } = world;
  const { db, org, clock } = services;
  const member = await world.addMember({
    firstName: 'mark-first',
    email: 'mark@example.com',
    phone: '+47 22 22 22 22',
  });
  const merged = await world.addMember({ lastName: 'mark-merged' });
  const other = await world.addMember({ firstName: 'stranger' });
  await acting.post({ type: 'Accrual', memberID: member._id, value: 5, ext: { note: 'mark-history' } });
  await acting.post({ type: 'Accrual', memberID: other._id, value: 5, ext: { note: 'stranger' } });
  await admin().post(
    `/members/${member._id}/merge`,
    { memberIds: [merged._id] },
    { headers: { 'idempotency-key': 'k' } },
  );
  await admin().post('/activity?async=true', {
    type: 'Accrual',
    memberID: member._id,
    value: 1,
    ext: { note: 'mark-waiting' },
  });
  const owners: [string, string][] = resources.flatMap(({ path, shape }) => {
    const owner = ['member', 'memberID', 'memberId'].find((name) => shape.properties[name]?.['x-ref'] === 'Member');
    return owner ? [[path, owner]] : [];
  });
  expect(owners.length).toBeGreaterThan(10);
  for (const [path, owner] of owners) {
    // A record of each collection with a mark, as a later version may store it.
    const stored = { org: org._id, createdAt: clock.now(), code: `mark-${path}`, mark: `mark-${path}` };
    await db.collection(path).insertMany([
      { ...stored, [owner]: member._id, metricName: path, purseSeq: 9e6 },
      {
        ...stored,
        [owner]: other._id,
        code: `other-${path}`,
        mark: 'stranger',
        metricName: `${path}-2`,
        purseSeq: 9e6,
      },
    ]);
  }
  const { status, body, headers } = await admin().get(`/members/${member._id}/export`);
  expect(status).toBe(200);
  expect(headers.get('content-disposition')).toContain(`member-${member._id}.json`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ member: String(member._id) });
  const text = JSON.stringify(body);
  const marks = ['first', 'merged', 'history', 'waiting', ...owners.map(([path]) => path)];
  expect(marks.filter((mark) => !text.includes(`mark-${mark}`))).toEqual([]);
  expect(text).toMatch(/mark@example.com/);
  expect(text).not.toMatch(/stranger/);
  const { members, auditlog, keyedrequests, journal } = body.records;
  expect(members.map(({ _id }: { _id: string }) => _id).sort()).toEqual([member._id, merged._id].map(String).sort());
  expect(auditlog.map(({ action }: { action: string }) => action)).toEqual(['merge']);
  expect(keyedrequests).toHaveLength(1);
  expect(journal.length).toBeGreaterThan(1);
  expect((await admin().get(`/members/${merged._id}/export`)).status).toBe(410);
});

test('an export of a member is for admins, and answers 410 for an erased one and 404 for an unknown one', async () => {
  const { _id } = await world.addMember();
  for (const role of ['reader', 'client', 'program-manager'] as const) {
    expect((await world.server.as(role).get(`/members/${_id}/export`)).status).toBe(403);
  }
  await admin().delete(`/members/${_id}`);
  expect(await admin().get(`/members/${_id}/export`)).toBeRefused(410, 1510);
  expect((await admin().get(`/members/${world.program._id}/export`)).status).toBe(404);
});
