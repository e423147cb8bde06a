import { rm } from 'node:fs/promises';
import path from 'node:path';
import { rollBack } from '#publishing/rulesets/rollBack';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { scheduleRules } from '#publishing/rulesets/scheduleRules';
import { makePolicy, makeProgram } from '../../support/definitions';
import { type TestClock, testClock } from '../../support/testClock';
import { earn, type OrgStore, openStore, type TestOrg } from './store';

/**
 * How rolled-back versions came back elsewhere, tried here: public reports of Argo CD, Flagsmith and GrowthBook. Each title
 * says what was reported.
 */
let store: OrgStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

let at: TestOrg;
let clock: TestClock;
let sets: RuleSets;
beforeEach(async () => {
  at = await store.addOrg();
  clock = testClock();
  clock.set('2026-05-01T12:00:00Z');
  await makePolicy(at.db, at.author, await makeProgram(at.db, at.author, { code: 'shop' }));
  sets = await at.process(at.rulesDir, clock);
  await write('other', 1);
  await write('a', 1);
  await sets.publish(at.org._id);
  await write('a', 2);
  await sets.publish(at.org._id);
});

const write = (key: string, points: number) => at.write(`shop/${key}.json`, earn(key, points));
const remove = (key: string) => rm(path.join(at.rulesDir, 'shop', `${key}.json`));
const versions = () => at.db.collection('rulesets').find({ org: at.org._id }).sort({ version: -1 }).toArray();

/** The points of each rule in force. */
async function inForce(): Promise<Record<string, number>> {
  const [set] = await versions();
  const drafts: { key: string; actions: { points: number }[] }[] = set?.drafts ?? [];
  return Object.fromEntries(drafts.map(({ key, actions }) => [key, actions[0]?.points ?? Number.NaN]));
}

/** Another process begins and loads what changed, as after a deployment. */
async function deploy(): Promise<void> {
  await sets.close();
  const started = await at.process(at.rulesDir, clock);
  await started.start();
  await started.close();
  sets = await at.process(at.rulesDir, clock);
}

test('another deployment does not bring a broken version back', async () => {
  await rollBack({ ...at, clock }, 1);
  await write('other', 5);
  await deploy();
  await sets.publish(at.org._id);
  expect(await inForce()).toEqual({ a: 1, other: 5 });
  // Also when everything is deployed anew, and nothing has changed.
  await deploy();
  await sets.publish(at.org._id);
  expect(await inForce()).toEqual({ a: 1, other: 5 });
});

test('a correction comes into force without switching synchronization on by hand', async () => {
  await rollBack({ ...at, clock }, 1);
  await write('a', 3);
  await deploy();
  expect(await inForce()).toEqual({ a: 3, other: 1 });
  expect((await ruleSetStatus(at.db, at.org._id)).files).toBeFalsy();
});

test('a change that was scheduled before does not overwrite a rollback', async () => {
  const files = [
    ['a', 2],
    ['other', 7],
  ] as const;
  await scheduleRules(
    { ...at, clock },
    { files: files.map(([key, points]) => ({ path: `shop/${key}.json`, text: JSON.stringify(earn(key, points)) })) },
    new Date(clock.now().getTime() + 1_800_000),
  );
  await rollBack({ ...at, clock }, 1);
  clock.advance(3_600_000);
  await sets.adopt(at.org._id, clock.now());
  expect(await inForce()).toEqual({ a: 1, other: 7 });
});

test('a rollback restores removed rules and removes new ones', async () => {
  await remove('a');
  await write('fresh', 9);
  await sets.publish(at.org._id);
  expect(await inForce()).toEqual({ fresh: 9, other: 1 });
  await rollBack({ ...at, clock }, 1);
  expect(await inForce()).toEqual({ a: 1, other: 1 });
  await write('other', 2);
  await deploy();
  expect(await inForce()).toEqual({ a: 1, other: 2 });
});

test('a rollback of a rollback takes effect', async () => {
  await rollBack({ ...at, clock }, 1);
  await rollBack({ ...at, clock }, 2);
  expect(await inForce()).toEqual({ a: 2, other: 1 });
  await sets.publish(at.org._id);
  expect(await inForce()).toEqual({ a: 2, other: 1 });
});
