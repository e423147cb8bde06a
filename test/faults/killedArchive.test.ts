import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fc } from '@fast-check/jest';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { readVolume, verifyVolume, volumesIn } from '#operations/archive/volumeFiles';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { archiveVolumeResource } from '#records/archives/archiveVolume';
import { findArchived } from '#records/archives/findArchived';
import type { Member } from '#records/members/member';
import { accrualItemResource } from '#records/points/accrualItem';
import { type ActivityApi, activityApi } from '../activities/activityApi';
import { runSeed } from '../support/scale';
import { earnRule, openWorld, redeemRule, type World } from '../support/world';

/** An archive whose process is killed at random moments, beside traffic (docs/design/archive.md). */
let world: World;
let acting: ActivityApi;
const root = mkdtempSync(path.join(tmpdir(), 'loyalty-killed-archive-'));
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule, redeemRule] });
  acting = activityApi(world);
});
afterAll(async () => {
  await world?.close();
  rmSync(root, { recursive: true });
});

const histories = () => collectionOf(world.services.db, activityHistoryResource);

function start(): ChildProcess {
  const { config, org, clock } = world.services;
  const args = ['--require', './test/support/registerTypeScript.cjs', './test/support/archiveProcess.ts'];
  return spawn(process.execPath, [...args, config.MONGODB_URI ?? '', org.code, root, clock.now().toISOString()], {
    cwd: path.resolve(__dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** What the archive has done so far: whenever it changes, the process is somewhere else in its work. */
const traces = async () =>
  [
    readdirSync(root).length,
    await histories().estimatedDocumentCount(),
    await collectionOf(world.services.db, accrualItemResource).estimatedDocumentCount(),
  ].join();

/** Runs the archive once more, and kills it a while after it has begun to do something. @returns whether it had ended */
async function killedAfter(ms: number): Promise<boolean> {
  const child = start();
  const ended = once(child, 'exit');
  const before = await traces();
  while (child.exitCode === null && (await traces()) === before) await sleep(2);
  await Promise.race([sleep(ms), ended]);
  const isDone = child.exitCode === 0;
  child.kill('SIGKILL');
  await ended;
  return isDone;
}

/** Posts, and cancels what it posted, until it is stopped. */
function traffic(members: readonly Member[]): { stop(): Promise<number> } {
  let isGoing = true;
  let posted = 0;
  const run = (async () => {
    while (isGoing) {
      const memberID = members[posted % members.length]?._id;
      const { body } = await acting.post({ type: 'Accrual', memberID, value: 5 });
      posted += 1;
      if (posted % 3 === 0) await acting.cancel(body.result.data.activityId);
    }
  })();
  return {
    async stop() {
      isGoing = false;
      await run;
      return posted;
    },
  };
}

test('an archive that is killed at any moment loses no activity and doubles none', async () => {
  const [kills = []] = fc.sample(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 6, maxLength: 6 }), {
    seed: runSeed(),
    numRuns: 1,
  });
  const members = [];
  for (let n = 0; n < 12; n += 1) members.push(await world.addMember());
  for (let round = 0; round < 14; round += 1) {
    world.services.clock.advance(1000);
    await Promise.all(members.flatMap(({ _id: memberID }) => [acting.post({ type: 'Accrual', memberID, value: 3 })]));
    world.services.clock.advance(1000);
    await Promise.all(members.map(({ _id: memberID }) => acting.post({ type: 'Redemption', memberID, value: 3 })));
  }
  await world.server.as('admin').post('/jobs/aggregates/run');
  // Long enough that points go too.
  world.services.clock.advance(1130 * dayMs);
  const old = await histories().find({ org: world.author.org }).toArray();
  expect(old).toHaveLength(12 * 28);
  const oldLots = await collectionOf(world.services.db, accrualItemResource).distinct('_id', { org: world.author.org });
  const busy = traffic(members);
  for (const ms of kills) {
    await killedAfter(ms);
    expect(await acting.mismatches()).toEqual([]);
  }
  while (!(await killedAfter(120_000)));
  const posted = await busy.stop();
  expect(posted).toBeGreaterThan(0);
  expect(await acting.mismatches()).toEqual([]);
  // Each old activity is in one place: the database, or the volume that the service names.
  const left = new Set((await histories().find({}).toArray()).map(({ _id }) => _id.toHexString()));
  const archived = await findArchived(
    world.services.db,
    world.author.org,
    old.map(({ _id }) => _id),
  );
  const inFiles = new Map<string, string>();
  const points = new Set<string>();
  for (const name of await volumesIn(root)) {
    await verifyVolume(root, name);
    for await (const { record } of readVolume(root, name)) {
      if ('entries' in record) points.add(String(record._id));
      else inFiles.set(`${name} ${record._id}`, String(record.value));
    }
  }
  for (const { _id, value } of old) {
    const volume = archived.get(_id.toHexString())?.volume;
    expect([_id, left.has(_id.toHexString())]).toEqual([_id, volume === undefined]);
    if (volume) expect(inFiles.get(`${volume} ${_id}`)).toBe(String(value));
  }
  expect(archived.size).toBeGreaterThan(12 * 20);
  const volumes = await collectionOf(world.services.db, archiveVolumeResource).find({}).toArray();
  expect(volumes.map(({ state }) => state)).toEqual(volumes.map(() => 'settled'));
  const removed = (wanted: string) =>
    volumes.filter(({ kind }) => kind === wanted).reduce((sum, each) => sum + each.removed, 0);
  expect(removed('histories')).toBe(archived.size);
  // Each spent lot went with its entries, once.
  const lots = await collectionOf(world.services.db, accrualItemResource)
    .find({ org: world.author.org, _id: { $in: oldLots } })
    .toArray();
  expect(removed('points')).toBe(oldLots.length - lots.length);
  expect(oldLots.filter((id) => points.has(id.toHexString())).length).toBeGreaterThanOrEqual(removed('points'));
  expect(removed('points')).toBeGreaterThan(12 * 10);
  expect(readdirSync(root).sort()).toEqual(await volumesIn(root));
}, 300_000);
