import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { collectionOf } from '#base/db/collections';
import { programsWithoutRules } from '#publishing/rulesets/programsWithoutRules';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { programResource } from '#records/programs/program';
import { orgResource } from '#records/users/org';
import { makePolicy, makeProgram } from '../../support/definitions';
import { longer, scaled } from '../../support/scale';
import { eventually } from './eventually';
import { earn, type OrgStore, openStore, type TestOrg } from './store';

let store: OrgStore;
let at: TestOrg;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  at = await store.addOrg();
});
afterAll(() => store.close());

async function addPrograms(...codes: string[]): Promise<void> {
  for (const code of codes) await makePolicy(at.db, at.author, await makeProgram(at.db, at.author, { code }));
}

const org = async () => {
  const found = await collectionOf(at.db, orgResource).findOne({ _id: at.org._id });
  if (!found) throw new Error('the org is stored');
  return found;
};

/** The points that the rules in force give, by program code. */
async function pointsInForce(of: RuleSets): Promise<Record<string, number[]>> {
  const set = await of.current(at.org._id, (await org()).ruleSetVersion);
  const points: Record<string, number[]> = {};
  for (const { programCode, actions } of set?.rules ?? []) {
    const [action] = actions;
    points[programCode] = [...(points[programCode] ?? []), action?.type === 'addPoints' ? Number(action.points) : 0];
  }
  return points;
}

const remove = (file: string) => rm(path.join(at.rulesDir, file), { recursive: true, force: true });
const faultFiles = async () => (await ruleSetStatus(at.db, at.org._id)).errors.map(({ file }) => file);

const csvTable = {
  columns: { channel: { fact: 'activity', path: '$.srcChannelType', operator: 'equal' } },
  csv: 't.csv',
};
const failing = { name: 'fails', activity: { type: 'Accrual' }, expect: { points: { Points: 99 } } };

/** Ways to write files with a fault into a program's folder, beside a file that is right. */
const faults: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  'no JSON': (folder) => at.write(`${folder}/bad.json`, '{"key": "b",,'),
  'an unknown purse': (folder) =>
    at.write(`${folder}/bad.json`, { ...earn('b', 1), actions: [{ type: 'addPoints', purse: 'Pionts', points: 1 }] }),
  'a test that fails': (folder) => at.write(`${folder}/bad.json`, { ...earn('b', 1), tests: [failing] }),
  'a key twice': (folder) => at.write(`${folder}/bad.json`, [earn('b', 1), earn('b', 2)]),
  'a file that cannot be read': async (folder) => {
    await mkdir(path.join(at.rulesDir, folder, 'bad.json'), { recursive: true });
  },
  'a table with a fault': async (folder) => {
    await at.write(`${folder}/bad.json`, { ...earn('b', 1), table: csvTable });
    await at.write(`${folder}/t.csv`, 'chanel\nWeb\n');
  },
  'an unknown named condition': (folder) =>
    at.write(`${folder}/bad.json`, { ...earn('b', 1), conditions: { all: [{ condition: 'big' }] } }),
};

test.each(Object.keys(faults))('a fault in one program leaves the others alone: %s', async (kind) => {
  await addPrograms('club', 'shop');
  const ruleSets = await at.process();
  await at.write('club/earn.json', earn('a', 1));
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  await at.write('club/earn.json', earn('a', 2));
  await at.write('shop/earn.json', earn('a', 2));
  await faults[kind]?.('club');
  const result = await ruleSets.publish(at.org._id);
  const programs = { published: ['shop'], kept: ['club'], withoutRules: [] };
  expect(result).toMatchObject({ kind: 'published', version: 2, programs });
  expect(await pointsInForce(ruleSets)).toEqual({ club: [1], shop: [2] });
  expect((await faultFiles()).every((file) => file.startsWith('club/'))).toBe(true);
  expect(await faultFiles()).not.toEqual([]);
  expect(at.logged).toContain(
    'the rule files of some programs are refused; the rules of these programs stay as they were',
  );
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'refused', version: 2, programs });
});

test('a named condition and a CSV file of one program are unknown to another', async () => {
  await addPrograms('club', 'shop');
  const ruleSets = await at.process();
  const conditions = { all: [{ fact: 'activity', path: '$.value', operator: 'greaterThan', value: 5 }] };
  await at.write('club/named.json', [{ namedCondition: 'big', conditions }, earn('a', 1)]);
  await at.write('club/t.csv', 'channel\nWeb\n');
  await at.write('shop/earn.json', [
    { ...earn('a', 1), conditions: { all: [{ condition: 'big' }] } },
    { ...earn('b', 1), table: csvTable },
  ]);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({
    kind: 'published',
    programs: { published: ['club'], kept: [], withoutRules: ['shop'] },
  });
});

describe('a folder that belongs to no program', () => {
  test('is a warning, and the programs are published', async () => {
    await addPrograms('shop');
    await at.write('shop/earn.json', earn('a', 1));
    await at.write('shpo/earn.json', '{');
    const ruleSets = await at.process();
    const message = 'no program has the code "shpo" (did you mean "shop"?); its rule files are not read';
    expect(await ruleSets.publish(at.org._id)).toMatchObject({
      kind: 'published',
      version: 1,
      errors: [],
      warnings: [{ file: 'shpo', line: 1, column: 1, message }],
    });
    at.logged.length = 0;
    await (await at.process()).start();
    expect(at.logged).toContain(`the rule files have warnings: shpo:1:1 ${message}`);
  });

  test('alone publishes nothing', async () => {
    await at.write('demo/earn.json', earn('a', 1));
    const ruleSets = await at.process();
    expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'empty', version: undefined, errors: [] });
  });

  test('may belong to a program without files: its rules stay until that is resolved', async () => {
    await addPrograms('club', 'shop');
    const ruleSets = await at.process();
    await at.write('club/earn.json', earn('a', 1));
    await at.write('shop/earn.json', earn('a', 1));
    await ruleSets.publish(at.org._id);
    await remove('shop');
    await at.write('shpo/earn.json', earn('a', 1));
    await at.write('club/earn.json', earn('a', 2));
    expect(await ruleSets.publish(at.org._id)).toMatchObject({
      kind: 'published',
      errors: [{ file: 'shop', message: expect.stringContaining('"shpo" belongs to no program') }],
      programs: { published: ['club'], kept: ['shop'], withoutRules: [] },
    });
    expect(await pointsInForce(ruleSets)).toEqual({ club: [2], shop: [1] });
    await remove('shpo');
    expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', errors: [] });
    expect(await pointsInForce(ruleSets)).toEqual({ club: [2] });
  });

  test('is loaded at the next load after its program was made', async () => {
    await addPrograms('club');
    await at.write('club/earn.json', earn('a', 1));
    await at.write('shop/earn.json', earn('a', 1));
    const ruleSets = await at.process();
    await ruleSets.start();
    expect(await programsWithoutRules(at.db, await org())).toEqual([]);
    await addPrograms('shop');
    expect(await programsWithoutRules(at.db, await org())).toEqual(['shop']);
    await (await at.process()).start();
    expect(await pointsInForce(ruleSets)).toEqual({ club: [1], shop: [1] });
    expect(await programsWithoutRules(at.db, await org())).toEqual([]);
  });
});

test('a program with faults in its first files has no rules until they are fixed, which the watcher notices', async () => {
  await addPrograms('club', 'shop');
  await at.write('club/earn.json', earn('a', 1));
  await at.write('shop/earn.json', '{');
  const ruleSets = await at.process();
  await ruleSets.start();
  expect(await pointsInForce(ruleSets)).toEqual({ club: [1] });
  expect(await programsWithoutRules(at.db, await org())).toEqual(['shop']);
  expect(at.logged).toContain('no rule of "shop" is in force: its rule files are refused, so it awards nothing');
  await at.write('shop/earn.json', earn('a', 3));
  await eventually(async () => expect(await pointsInForce(ruleSets)).toEqual({ club: [1], shop: [3] }));
  expect(await programsWithoutRules(at.db, await org())).toEqual([]);
});

test('a restart tries refused files again, but does not replace newer rules from elsewhere', async () => {
  await addPrograms('club', 'shop');
  await at.write('club/earn.json', earn('a', 1));
  await at.write('shop/earn.json', '{');
  await at.write('.elsewhere/club/earn.json', earn('a', 2));
  const here = await at.process();
  await here.start();
  await here.close();
  await (await at.process(path.join(at.rulesDir, '.elsewhere'))).start();
  expect(await pointsInForce(here)).toEqual({ club: [2] });
  await (await at.process()).start();
  expect(await pointsInForce(here)).toEqual({ club: [2] });
  await at.write('shop/earn.json', earn('a', 3));
  await (await at.process()).start();
  expect(await pointsInForce(here)).toEqual({ club: [2], shop: [3] });
});

test('a fault in the files of a program removes neither its rules in force nor the records that they name', async () => {
  await addPrograms('club');
  const ruleSets = await at.process();
  await at.write('club/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  await at.write('club/earn.json', '{');
  await ruleSets.publish(at.org._id);
  const program = await collectionOf(at.db, programResource).findOne({ org: at.org._id, code: 'club' });
  if (!program) throw new Error('the program is stored');
  const { broken } = await ruleSets.needsOf({ org: at.org._id, model: 'Program', before: program });
  expect(broken.map(({ rule }) => rule)).toEqual(['club/a']);
});

/** What a step does to the folder of a program. */
type Change = 'same' | 'remove' | 'end' | { points: number } | { fault: string };

const codes = ['alpha', 'beta', 'gamma'] as const;

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ points: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 3, arbitrary: fc.record({ fault: fc.constantFrom(...Object.keys(faults)) }) },
  { weight: 2, arbitrary: fc.constant('same' as const) },
  { weight: 1, arbitrary: fc.constantFrom('remove' as const, 'end' as const) },
);

const step: fc.Arbitrary<Step> = fc.record({
  changes: fc.tuple(change, change, change),
  stray: fc.boolean(),
  restarts: fc.boolean(),
});

interface Step {
  changes: Change[];
  stray: boolean;
  /** Whether a new process starts, or a running one loads on request. */
  restarts: boolean;
}

/** What the folder of a program holds: rules with these points, a fault, or no files at all. */
type Folder = { rules: number[] } | 'fault' | undefined;

async function apply(code: string, change: Change, before: Folder): Promise<Folder> {
  if (change === 'same') return before;
  await remove(code);
  if (change === 'remove') return undefined;
  const points = typeof change === 'object' && 'points' in change ? change.points : 5;
  await at.write(`${code}/earn.json`, change === 'end' ? [] : earn('a', points));
  if (typeof change === 'object' && 'fault' in change) {
    await faults[change.fault]?.(code);
    return 'fault';
  }
  return { rules: change === 'end' ? [] : [points] };
}

/** Starts a process, which loads what changed, and ends it before its watch sees half of the next step. */
async function startOnce(): Promise<void> {
  const starting = at.fresh();
  await starting.start();
  await starting.close();
}

/** Each program for itself: what its files give, and the rules in force that result from all loads so far. */
interface Oracle {
  folders: Map<string, Folder>;
  inForce: Map<string, number[]>;
}

function expectedAfter({ folders, inForce }: Oracle, stray: boolean): void {
  const hasFiles = [...folders.values()].some((folder) => folder !== undefined);
  for (const [code, folder] of folders) {
    if (typeof folder === 'object') inForce.set(code, folder.rules);
    // Without any files nothing changes. Beside a folder of no program, missing files may be misplaced.
    else if (folder === undefined && hasFiles && !stray) inForce.delete(code);
  }
}

async function expectAs({ folders, inForce }: Oracle, ruleSets: RuleSets): Promise<void> {
  const rules = [...inForce].filter(([, points]) => points.length > 0);
  expect(await pointsInForce(ruleSets)).toEqual(Object.fromEntries(rules));
  const faulty = codes.filter((code) => folders.get(code) === 'fault');
  const ruleless = faulty.filter((code) => (inForce.get(code) ?? []).length === 0);
  expect(await programsWithoutRules(at.db, await org())).toEqual(ruleless);
  const refused = new Set((await faultFiles()).map((file) => file.split('/')[0] ?? ''));
  expect([...refused].filter((code) => folders.get(code) !== undefined).sort()).toEqual(faulty);
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  at = await store.addOrg();
  await addPrograms(...codes);
  const ruleSets = at.fresh();
  const oracle: Oracle = { folders: new Map(), inForce: new Map() };
  for (const { changes, stray, restarts } of steps) {
    for (const [index, code] of codes.entries()) {
      oracle.folders.set(code, await apply(code, changes[index] ?? 'same', oracle.folders.get(code)));
    }
    await remove('elsewhere');
    if (stray) await at.write('elsewhere/earn.json', '{');
    if (restarts) await startOnce();
    else await ruleSets.publish(at.org._id);
    expectedAfter(oracle, stray);
    await expectAs(oracle, ruleSets);
  }
}

test(
  'every program follows its last files without a fault, over random changes, faults and restarts',
  () => fc.assert(fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), runSteps), { numRuns: scaled(6) }),
  120_000 * longer,
);
