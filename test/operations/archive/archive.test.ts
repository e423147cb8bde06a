import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ObjectId } from 'bson';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { inTransaction } from '#base/db/transaction';
import { archivableHistories, moveHistories } from '#operations/archive/archiveHistories';
import { findInArchive } from '#operations/archive/findInArchive';
import { manifestFile, recordLine, recordsFile, verifyVolume, volumesIn } from '#operations/archive/volumeFiles';
import { type ArchiveInput, writeArchive } from '#operations/archive/writeArchive';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import type { Member } from '#records/members/member';
import { type ActivityApi, activityApi } from '../../activities/activityApi';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';

/** Old activities in files (docs/design/archive.md). */
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-archive-'));
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

let folders = 0;
const newFolder = () => {
  folders += 1;
  return path.join(root, `${folders}`);
};

const daysAgo = (days: number) => new Date(world.services.clock.now().getTime() - days * dayMs);

const archive = (to: string, more: Partial<ArchiveInput> = {}) =>
  writeArchive(world.services.db, {
    org: world.services.org,
    before: daysAgo(90),
    root: to,
    clock: world.services.clock,
    onProgress: () => undefined,
    ...more,
  });

/** What the archive has of an id or a key. */
const readArchive = async (to: string, id: string) => {
  const found = [];
  for await (const each of findInArchive(to, id)) found.push(each);
  return found;
};

const about = (field: string, { _id }: Member) => encodeURIComponent(JSON.stringify({ [field]: _id }));

const histories = () => collectionOf(world.services.db, activityHistoryResource);
/** Posts an activity. Each has a date of its own, since the latest three of a member stay. */
const post = async (fields: object) => {
  world.services.clock.advance(1000);
  return (await acting.post(fields)).body.result.data.activityId as string;
};

/** A member with two activities that are settled, and four that are not or are its latest; 100 days old. */
async function oldMember(): Promise<{ member: Member; settled: string[]; kept: string[] }> {
  const member = await world.addMember();
  const memberID = member._id;
  const ext = { note: 'first\nsecond\u2028third' };
  const spent = await post({ type: 'Accrual', memberID, value: 10, externalTxnId: `key-${memberID}`, ext });
  const used = await post({ type: 'Redemption', memberID, value: 10, partnerCode: undefined });
  const kept = [await post({ type: 'Accrual', memberID, value: 7 })];
  for (let n = 0; n < 3; n += 1) kept.push(await post({ type: 'Accrual', memberID, value: 1 }));
  await world.server.as('admin').post('/jobs/aggregates/run');
  world.services.clock.advance(100 * dayMs);
  return { member, settled: [spent, used], kept };
}

test('settled activities move to files, and all sums stay as they are', async () => {
  const { member, settled, kept } = await oldMember();
  const admin = world.server.as('admin');
  const shown = async () => ({
    purses: (await admin.get(`/members/${member._id}/purses`)).body,
    statement: (await admin.get(`/members/${member._id}/statement`)).body,
    months: (await admin.get(`/monthlyaggregates?query=${about('memberId', member)}`)).body,
    items: (await admin.get(`/accrualitems?query=${about('member', member)}`)).body,
  });
  const before = await shown();
  expect([before.months.length, before.items.length, before.statement.length]).toEqual([6, 5, 6]);
  const to = newFolder();
  const stored = await histories().findOne({ _id: new ObjectId(settled[0]) });
  const { volumes, ...moved } = await archive(to);
  expect(moved).toEqual({ histories: 2, submissions: 1, points: 0, faulty: 0 });
  expect(volumes).toEqual(['histories', 'submissions'].map((kind) => expect.stringContaining(`-${kind}-`)));
  expect(await shown()).toEqual(before);
  const left = await histories().find({ memberID: member._id }).toArray();
  expect(left.map(({ _id }) => _id.toHexString()).sort()).toEqual([...kept].sort());
  expect(await acting.mismatches()).toEqual([]);
  expect((await admin.get('/activityhistories/count')).body.count).toBe(
    await histories().countDocuments({ org: world.author.org }),
  );
  // The file has the record as it was stored, without what names a person.
  const found = await readArchive(to, `key-${member._id}`);
  const { ext, loyaltyID, factsRead, ...rest } = stored as ActivityHistory;
  expect(found.map(({ volume }) => volume)).toEqual(expect.arrayContaining(volumes));
  expect(found.map(({ line }) => line)).toContain(recordLine(rest));
  expect((await readArchive(to, String(settled[1]))).map(({ volume }) => volume)).toContain(volumes[0]);
  await expect(readArchive(to, String(kept[0]))).rejects.toThrow(/No volume/);
  // A second run finds nothing.
  expect(await archive(to)).toEqual({ volumes: [], histories: 0, submissions: 0, points: 0, faulty: 0 });
  expect(readdirSync(to).sort()).toEqual([...volumes].sort());
});

test('an archived activity is 410 to reads, explanations, cancellations and repetitions, and has no second effect', async () => {
  const { member, settled } = await oldMember();
  const [volume] = (await archive(newFolder())).volumes;
  const named = await collectionOf(world.services.db, archiveVolumeResource).findOne({ name: String(volume) });
  expect(named?.amountsOf?.map(String)).toEqual([String(world.program._id)]);
  const admin = world.server.as('admin');
  const balance = await acting.balance(member._id);
  const [spent] = settled;
  expect(await admin.get(`/activityhistories/${spent}`)).toBeRefused(410, 1520);
  expect((await admin.get(`/activityhistories/${spent}`)).body.params.volume).toBe(volume);
  expect(await admin.get(`/activityhistories/${spent}/explain`)).toBeRefused(410, 1520);
  expect(await acting.cancel(String(spent))).toBeRefused(410, 1520);
  expect(await acting.cancel(String(spent), { value: 1 })).toBeRefused(410, 1520);
  expect(await acting.cancel(String(spent), { externalTxnId: 'c' }, '?persist=false')).toBeRefused(410, 1520);
  const ext = { note: 'first\nsecond\u2028third' };
  const again = { type: 'Accrual', memberID: member._id, value: 10, externalTxnId: `key-${member._id}`, ext };
  expect(await acting.post(again)).toBeRefused(410, 1520);
  expect(await acting.post({ ...again, value: 11 })).toBeRefused(422, 1200);
  const queued = await acting.post(
    { type: 'Cancellation', originalTxnId: spent, externalTxnId: `q-${spent}` },
    '?async=true',
  );
  expect(queued.status).toBe(202);
  await acting.drain();
  const status = await admin.get(`/activity/status/q-${spent}`);
  expect(status.body).toMatchObject({ status: 'Error', result: { errors: [{ code: 1520 }] } });
  expect(await admin.get(`/activityhistories/${new ObjectId()}`)).toBeRefused(404, 1500);
  expect(await acting.balance(member._id)).toBe(balance);
  expect(await acting.mismatches()).toEqual([]);
});

test('a history that changed after it was written stays, and is written again', async () => {
  const { settled } = await oldMember();
  const { db, org, clock } = world.services;
  const records = [];
  for await (const record of archivableHistories(db, org._id, daysAgo(90))) records.push(record);
  expect(records.map(({ _id }) => _id.toHexString())).toEqual(settled);
  const author = { org: org._id, userId: org.systemUser };
  const movedTo = { volume: new ObjectId(), author, now: clock.now() };
  const stale = records.map((record) => ({ record, line: recordLine({ ...record, value: 999 }) }));
  expect(await inTransaction(db, (session) => moveHistories(db, session, movedTo, stale))).toBe(0);
  expect((await archive(newFolder())).histories).toBe(2);
  expect(await acting.mismatches()).toEqual([]);
});

test('a run that fails at any moment is finished by the next', async () => {
  const { member } = await oldMember();
  const to = newFolder();
  let calls = 0;
  for (let failing = 1; failing < 14; failing += 1) {
    calls = 0;
    const onProgress = () => {
      calls += 1;
      if (calls === failing) throw new Error('stopped');
    };
    const run = archive(to, { volumeMax: 1, onProgress });
    await run.catch((error: Error) => expect(error.message).toBe('stopped'));
    expect(await acting.mismatches()).toEqual([]);
  }
  await archive(to, { volumeMax: 1 });
  const volumes = await collectionOf(world.services.db, archiveVolumeResource)
    .find({ org: world.author.org, path: to })
    .toArray();
  expect(volumes.map(({ name, removed, state }) => [name, removed, state])).toEqual(
    (await volumesIn(to)).map((name) => [name, 1, 'settled']),
  );
  expect(volumes).toHaveLength(3);
  expect(readdirSync(to).sort()).toEqual(await volumesIn(to));
  expect(await acting.balance(member._id)).toBe(10);
});

test('points that a later cancellation restores to an archived award raise no alarm', async () => {
  const member = await world.addMember();
  const memberID = member._id;
  await post({ type: 'Accrual', memberID, value: 10 });
  await world.server.as('admin').post('/jobs/aggregates/run');
  world.services.clock.advance(100 * dayMs);
  const used = await post({ type: 'Redemption', memberID, value: 10 });
  for (let n = 0; n < 3; n += 1) await post({ type: 'Accrual', memberID, value: 1 });
  expect((await archive(newFolder())).histories).toBe(1);
  expect((await acting.cancel(used)).body.result.data.status).toBe('Processed');
  expect(await acting.balance(memberID)).toBe(13);
  expect(await acting.mismatches()).toEqual([]);
});

describe('a volume', () => {
  let to: string;
  let name: string;
  let file: string;
  let bytes: Buffer;
  beforeAll(async () => {
    await oldMember();
    to = newFolder();
    name = String((await archive(to)).volumes[0]);
    // The volume of submissions is out of the way.
    for (const other of (await volumesIn(to)).filter((each) => each !== name))
      rmSync(path.join(to, other), { recursive: true });
    file = path.join(to, name, recordsFile('histories'));
    bytes = readFileSync(file);
  });
  afterEach(() => writeFileSync(file, bytes));

  test('is found whole', async () => {
    expect(await verifyVolume(to, name)).toMatchObject({ volume: name, bytes: bytes.length });
  });

  test.each<[string, () => void]>([
    ['a byte more', () => appendFileSync(file, 'x')],
    [
      'a changed record',
      () => writeFileSync(file, gzipSync(String(gunzipSync(bytes)).replace('Accrual', 'Redemption'))),
    ],
    ['a record less', () => writeFileSync(file, gzipSync(`${String(gunzipSync(bytes)).split('\n')[0]}\n`))],
    ['no file', () => rmSync(file)],
  ])('with %s is found damaged', async (_name, damage) => {
    damage();
    await expect(verifyVolume(to, name)).rejects.toThrow(/is damaged/);
  });

  test('without a manifest is none', async () => {
    const manifest = path.join(to, name, manifestFile);
    const text = readFileSync(manifest);
    rmSync(manifest);
    await expect(volumesIn(to)).rejects.toThrow(/has no volume: name the folder of the archive/);
    await expect(verifyVolume(to, name)).rejects.toThrow(/is no volume/);
    writeFileSync(manifest, text);
  });
});

test('a date within the last 90 days is refused', async () => {
  await expect(archive(newFolder(), { before: daysAgo(89) })).rejects.toThrow(/--before is at most/);
});
