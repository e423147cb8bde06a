import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { findInArchive } from '#operations/archive/findInArchive';
import { type Archived, writeArchive } from '#operations/archive/writeArchive';
import type { Member } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { journalResource } from '#records/points/journal';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

/** Old journal entries, lots and submissions in files (docs/design/archive.md). */
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-archived-points-'));
let world: World;
let acting: ActivityApi;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});
afterAll(async () => {
  await world.close();
  rmSync(root, { recursive: true });
});

const admin = () => world.server.as('admin');

const archive = async (days = 90): Promise<Archived> => {
  const { db, org, clock } = world.services;
  const before = new Date(clock.now().getTime() - days * dayMs);
  return writeArchive(db, { org, before, root, clock, onProgress: () => undefined });
};

/** Posts an activity, a second after the one before. @returns its id */
const post = async (memberID: ObjectId, type: string, value: number, fields: object = {}): Promise<string> => {
  world.services.clock.advance(1000);
  return (await acting.post({ type, memberID, value, ...fields })).body.result.data.activityId;
};

/** Long enough that points may be archived. */
const years = () => world.services.clock.advance(1130 * dayMs);

const count = () => admin().post('/jobs/aggregates/run');

/** A member with points that were earned and spent, others that were not, and its latest three activities. */
async function oldMember(): Promise<{ member: Member; spent: string[]; key: string }> {
  const member = await world.addMember();
  const key = `key-${member._id}`;
  const spent = [await post(member._id, 'Accrual', 10, { externalTxnId: key })];
  spent.push(await post(member._id, 'Redemption', 10));
  await post(member._id, 'Accrual', 7);
  for (let n = 0; n < 3; n += 1) await post(member._id, 'Accrual', 1);
  await count();
  years();
  return { member, spent, key };
}

type Entry = { kind: string; seq: number; points: number; balanceAfter: number; availAfter: number; at: string };

const statement = async ({ _id }: Member, query = ''): Promise<Entry[]> =>
  (await admin().get(`/members/${_id}/statement${query}`)).body;

const journal = () => collectionOf(world.services.db, journalResource);

test('spent points leave the journal, whose opening entry stands for them', async () => {
  const { member, spent } = await oldMember();
  const before = await statement(member);
  const items = await admin().get('/accrualitems/count');
  const entries = await admin().get('/journal/count');
  const { histories, submissions, points } = await archive();
  expect([histories, submissions, points]).toEqual([2, 1, 1]);
  const after = await statement(member);
  expect(after.map(({ kind, seq, points: moved }) => [kind, seq, moved])).toEqual([
    ['opening', 2, 0],
    ['accrue', 3, 7],
    ['accrue', 4, 1],
    ['accrue', 5, 1],
    ['accrue', 6, 1],
  ]);
  expect(after[0]).toMatchObject({ balanceAfter: before[1]?.balanceAfter, availAfter: before[1]?.availAfter });
  expect(after.slice(1)).toEqual(before.slice(2));
  expect((await admin().get('/accrualitems/count')).body.count).toBe(items.body.count - 1);
  expect((await admin().get('/journal/count')).body.count).toBe(entries.body.count - 1);
  expect(await acting.balance(member._id)).toBe(10);
  expect(await acting.mismatches()).toEqual([]);
  const found: string[] = [];
  for await (const { line } of findInArchive(root, String(spent[0]))) found.push(line);
  expect(found).toHaveLength(3);
  expect(found.some((line) => line.includes('"kind":"burn"'))).toBe(true);
});

test('a member goes on, and a later archive moves its opening entry', async () => {
  const { member } = await oldMember();
  await archive();
  await post(member._id, 'Redemption', 8);
  for (let n = 0; n < 3; n += 1) await post(member._id, 'Accrual', 1);
  await count();
  expect(await acting.mismatches()).toEqual([]);
  years();
  expect((await archive()).points).toBeGreaterThan(0);
  const after = await statement(member);
  expect(after.filter(({ kind }) => kind === 'opening')).toHaveLength(1);
  expect(after.reduce((sum, { points }) => sum + points, 0)).toBe(await acting.balance(member._id));
  expect(await acting.mismatches()).toEqual([]);
});

test('a lot stays while points of it are left or an activity that changed it is kept', async () => {
  const member = await world.addMember();
  await post(member._id, 'Accrual', 10);
  await post(member._id, 'Redemption', 4);
  await count();
  years();
  expect((await archive()).points).toBe(0);
  expect((await statement(member)).map(({ kind }) => kind)).toEqual(['accrue', 'burn']);
});

test('points of the last three years stay, because forecasts read them', async () => {
  const member = await world.addMember();
  await post(member._id, 'Accrual', 10);
  await post(member._id, 'Redemption', 10);
  for (let n = 0; n < 3; n += 1) await post(member._id, 'Accrual', 1);
  await count();
  world.services.clock.advance(1000 * dayMs);
  const { histories, points } = await archive();
  expect([histories, points]).toEqual([2, 0]);
  const forecast = async () => (await admin().get(`/forecasts/breakage?program=${world.program._id}`)).body;
  expect(await forecast()).toBeDefined();
});

test('a statement of a period that the archive has is refused, and one that begins later is whole', async () => {
  const { member } = await oldMember();
  const all = await statement(member);
  await archive();
  const opening = String(all[1]?.at);
  const path = `/members/${member._id}/statement`;
  expect(await admin().get(`${path}?from=2020-01-01T00:00:00.000Z`)).toBeRefused(410, 1521);
  expect(await admin().get(`${path}?from=${opening}`)).toBeRefused(410, 1521);
  expect(await admin().get(`${path}?to=${opening}`)).toBeRefused(410, 1521);
  const from = new Date(Date.parse(opening) + 1).toISOString();
  expect(await statement(member, `?from=${from}`)).toEqual(all.slice(2));
  expect(await statement(member, `?from=${from}&to=${all[3]?.at}`)).toEqual(all.slice(2, 3));
});

test('an archived key has no second effect: now, later or as a file of an import', async () => {
  const { member, key } = await oldMember();
  await archive();
  const balance = await acting.balance(member._id);
  const again = { type: 'Accrual', memberID: member._id, value: 10, externalTxnId: key };
  expect(await acting.post(again)).toBeRefused(410, 1520);
  expect(await acting.post({ ...again, value: 11 })).toBeRefused(422, 1200);
  expect(await admin().get(`/activity/status/${key}`)).toBeRefused(410, 1520);
  expect((await acting.post(again, '?async=true')).status).toBe(202);
  await acting.drain();
  const status = await admin().get(`/activity/status/${key}`);
  expect(status.body).toMatchObject({ status: 'Error', result: { errors: [{ code: 1520 }] } });
  expect(await acting.balance(member._id)).toBe(balance);
  expect(await acting.mismatches()).toEqual([]);
  // The refused repetition is archived in its turn; its key is there already.
  years();
  expect((await archive()).submissions).toBeGreaterThan(0);
  expect(await acting.post(again)).toBeRefused(410, 1520);
  expect(await acting.mismatches()).toEqual([]);
});

test('a member whose records do not agree keeps its points', async () => {
  const { member } = await oldMember();
  await journal().updateOne({ member: member._id, seq: 3 }, { $inc: { balanceAfter: 1 } });
  const { points, faulty } = await archive();
  expect([points, faulty]).toEqual([0, 1]);
  await journal().updateOne({ member: member._id, seq: 3 }, { $inc: { balanceAfter: -1 } });
  expect((await archive()).points).toBe(1);
  expect(await acting.mismatches()).toEqual([]);
});

test('a lot that was added with a key stays, and is added once', async () => {
  const member = await world.addMember();
  const purse = member.purses[0]?.policyId;
  const item = { member: member._id, purse, accruedPoints: 5, externalId: `item-${member._id}` };
  const keeper = world.server.as('ledger-admin');
  expect((await keeper.post('/accrualitems', item)).status).toBe(201);
  await post(member._id, 'Redemption', 5);
  for (let n = 0; n < 3; n += 1) await post(member._id, 'Accrual', 1);
  await count();
  years();
  await archive();
  const items = () =>
    collectionOf(world.services.db, accrualItemResource).countDocuments({ externalId: item.externalId });
  expect(await items()).toBe(1);
  await keeper.post('/accrualitems', item);
  expect(await items()).toBe(1);
});

test('a merged member leaves its archived entries where they are, and the survivor counts its lots', async () => {
  const { member: merged } = await oldMember();
  await archive();
  const { member: survivor } = await oldMember();
  const merge = await admin().post(`/members/${survivor._id}/merge`, { memberIds: [merged._id] });
  expect(merge.status).toBe(200);
  await admin().post('/jobs/members/run');
  expect(await acting.mismatches()).toEqual([]);
  await post(survivor._id, 'Redemption', 17);
  for (let n = 0; n < 3; n += 1) await post(survivor._id, 'Accrual', 1);
  await count();
  years();
  expect((await archive()).points).toBeGreaterThan(1);
  expect(await acting.balance(survivor._id)).toBe(6);
  expect(await acting.mismatches()).toEqual([]);
  const rows = await statement(survivor);
  expect(rows.reduce((sum, { points }) => sum + points, 0)).toBe(6);
});

test('an erased member leaves nothing in the archive that names it', async () => {
  const { member } = await oldMember();
  await archive();
  expect((await admin().delete(`/members/${member._id}`)).status).toBe(204);
  await admin().post('/jobs/members/run');
  expect(await acting.mismatches()).toEqual([]);
});

test('a report of a period before the archive says so', async () => {
  await oldMember();
  await archive();
  const now = world.services.clock.now();
  const report = async (from: Date) => {
    const query = `program=${world.program._id}&from=${from.toISOString()}&by=month`;
    return (await admin().get(`/reports/program?${query}`)).body;
  };
  expect(await report(new Date(now.getTime() - 1200 * dayMs))).toHaveProperty('archivedBefore');
  expect(await report(new Date(now.getTime() - 30 * dayMs))).not.toHaveProperty('archivedBefore');
});
