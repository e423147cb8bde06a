import { rm } from 'node:fs/promises';
import path from 'node:path';
import { collectionOf } from '#base/db/collections';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import { ruleResource } from '#publishing/rulesets/ruleResource';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { orgResource } from '#records/users/org';
import { makePolicy, makeProgram } from '../../support/definitions';
import { earn, type OrgStore, openStore, type TestOrg, writeRules } from './store';

let store: OrgStore;
let at: TestOrg;
let ruleSets: RuleSets;
beforeAll(async () => {
  store = await openStore();
});
beforeEach(async () => {
  at = await store.addOrg();
  const program = await makeProgram(at.db, at.author, { code: 'shop' });
  await makePolicy(at.db, at.author, program);
  ruleSets = await at.process();
});
afterAll(() => store.close());

const status = () => ruleSetStatus(at.db, at.org._id);
const version = async () => (await collectionOf(at.db, orgResource).findOne({ _id: at.org._id }))?.ruleSetVersion;
const keys = async (of: RuleSets) =>
  (await of.current(at.org._id, await version()))?.rules.map(({ key }) => key).sort();

test('nothing is in force before the first set is published', async () => {
  expect(await ruleSets.current(at.org._id, undefined)).toBeUndefined();
  expect(await status()).toEqual({ version: null, hash: null, publishedAt: null, rules: 0, errors: [] });
});

test('valid files become version 1, in force when publish answers', async () => {
  await at.write('shop/earn.json', [earn('a', 1), earn('b', 2)]);
  expect(await ruleSets.publish(at.org._id)).toEqual({ kind: 'published', version: 1, errors: [], warnings: [] });
  expect(await keys(ruleSets)).toEqual(['a', 'b']);
  expect(await status()).toMatchObject({ version: 1, rules: 2, errors: [], hash: expect.stringMatching(/^\w{64}$/) });
});

test('unchanged content makes no new version, however it is laid out', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'unchanged', version: 1, errors: [] });
  await at.write('shop/earn.json', JSON.stringify(earn('a', 1), null, 8));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'unchanged', version: 1, errors: [] });
  expect(await collectionOf(at.db, ruleSetResource).countDocuments({ org: at.org._id })).toBe(1);
});

test('with one fault anywhere in a program its old rules stay in force; every process shows the fault until it is fixed', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  await at.write('shop/more.json', earn('b', 2));
  await at.write('shop/broken.json', '{\n  "key": "half-writ');
  const refused = await ruleSets.publish(at.org._id);
  expect(refused).toMatchObject({ kind: 'refused', version: 1 });
  expect(await keys(ruleSets)).toEqual(['a']);
  const { version: inForce, errors } = await status();
  expect(inForce).toBe(1);
  expect(errors[0]).toMatchObject({ file: 'shop/broken.json', line: 2 });
  expect(at.logged).toContain('the rule files are refused; rule set 1 stays in force');

  await rm(path.join(at.rulesDir, 'shop/broken.json'));
  await ruleSets.publish(at.org._id);
  expect(await status()).toMatchObject({ version: 2, rules: 2, errors: [] });
});

test('faults go away when the files are put back as they were', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  await at.write('shop/earn.json', 'no JSON');
  await ruleSets.publish(at.org._id);
  await at.write('shop/earn.json', earn('a', 1));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'unchanged', version: 1, errors: [] });
  expect(await status()).toMatchObject({ version: 1, errors: [] });
});

test.each([
  ['a purse that does not exist', { ...earn('a', 1), actions: [{ type: 'addPoints', purse: 'Pionts', points: 1 }] }],
  [
    'a test of the file that fails',
    {
      ...earn('a', 1),
      tests: [{ name: 'wrong', activity: { type: 'Accrual', value: 1 }, expect: { points: { Points: 7 } } }],
    },
  ],
  ['a key twice', [earn('a', 1), earn('a', 2)]],
])('a faulty file is refused with file and line: %s', async (_, content) => {
  await at.write('shop/earn.json', content);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'refused', version: undefined });
  expect((await status()).errors).toMatchObject([
    {
      file: 'shop/earn.json',
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
      from: 'folder',
    },
  ]);
});

test('a file that cannot be read is a fault too', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await at.write('shop/folder.json/x', '');
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'refused', errors: [{ file: 'shop/folder.json' }] });
});

test('without any file nothing is published, and the log says where it looked', async () => {
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'empty', version: undefined });
  const other = await at.process(path.join(at.rulesDir, 'missing'));
  expect(await other.publish(at.org._id)).toMatchObject({ kind: 'empty', version: undefined });
  expect(at.logged.at(-1)).toBe(
    `there are no rule files in ${at.rulesDir}/missing: nothing is published; no rules are in force`,
  );
});

test('missing files leave the old set in force, and an empty array ends the rules', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  await rm(path.join(at.rulesDir, 'shop/earn.json'));
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'empty', version: 1 });
  await at.write('shop/none.json', []);
  expect(await ruleSets.publish(at.org._id)).toMatchObject({ kind: 'published', version: 2 });
  expect(await keys(ruleSets)).toEqual([]);
});

test('another process sees the swap with the version it reads, and still has the old one', async () => {
  const other = await at.process();
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  expect(await keys(other)).toEqual(['a']);
  await at.write('shop/earn.json', earn('b', 1));
  await ruleSets.publish(at.org._id);
  expect(await keys(other)).toEqual(['b']);
  const old = await other.current(at.org._id, 1);
  expect(old?.rules.map(({ key, version: of }) => [key, of])).toEqual([['a', 1]]);
});

test('a compiled set is the same object while its version is in force', async () => {
  await at.write('shop/earn.json', earn('a', 1));
  await ruleSets.publish(at.org._id);
  const [first, second] = await Promise.all([ruleSets.current(at.org._id, 1), ruleSets.current(at.org._id, 1)]);
  expect(first).toBe(second);
});

test('a rule keeps its id over versions, also when it was removed in between', async () => {
  const ids = async () => {
    const rules = (await ruleSets.current(at.org._id, await version()))?.rules ?? [];
    return Object.fromEntries(rules.map(({ key, _id }) => [key, _id.toHexString()]));
  };
  await at.write('shop/earn.json', [earn('a', 1), earn('b', 1)]);
  await ruleSets.publish(at.org._id);
  const first = await ids();
  await at.write('shop/earn.json', [earn('b', 2)]);
  await ruleSets.publish(at.org._id);
  expect((await ids()).b).toBe(first.b);
  await at.write('shop/moved.json', [{ ...earn('a', 3), name: 'Renamed' }]);
  await ruleSets.publish(at.org._id);
  expect(await ids()).toEqual(first);
});

test('the rules collection shows each rule as last published, with its last version', async () => {
  await at.write('shop/earn.json', [earn('a', 1), earn('b', 1)]);
  await ruleSets.publish(at.org._id);
  await at.write('shop/earn.json', [{ ...earn('b', 2), status: 'paused' }]);
  await ruleSets.publish(at.org._id);
  const rules = await collectionOf(at.db, ruleResource).find({ org: at.org._id }).sort({ key: 1 }).toArray();
  expect(rules.map(({ key, version: of, status: is, file }) => [key, of, is, file])).toEqual([
    ['a', 1, 'active', 'shop/earn.json'],
    ['b', 2, 'paused', 'shop/earn.json'],
  ]);
  expect(rules[1]?.definition).toMatchObject({ key: 'b', actions: [{ type: 'addPoints', points: 2 }] });
});

test('the rules of another org are in @<org>/ and apply to that org only', async () => {
  const other = await store.addOrg();
  const program = await makeProgram(other.db, other.author, { code: 'shop' });
  await makePolicy(other.db, other.author, program);
  await at.write('shop/earn.json', earn('own', 1));
  await at.write(`@${other.org.code}/shop/earn.json`, earn('theirs', 1));
  await ruleSets.publish(at.org._id);
  await ruleSets.publish(other.org._id);
  const theirs = await ruleSets.current(other.org._id, 1);
  expect(theirs?.rules.map(({ key }) => key)).toEqual(['theirs']);
  expect(await keys(ruleSets)).toEqual(['own']);

  await at.write(`@${other.org.code}/shop/earn.json`, '{');
  expect(await ruleSets.publish(other.org._id)).toMatchObject({
    errors: [{ file: `@${other.org.code}/shop/earn.json` }],
  });
  expect((await status()).errors).toEqual([]);
});

describe('publishes at once', () => {
  test('of equal files make one version', async () => {
    const processes = await Promise.all([at.process(), at.process(), at.process()]);
    await at.write('shop/earn.json', earn('a', 1));
    const results = await Promise.all([...processes, ...processes].map((each) => each.publish(at.org._id)));
    expect(new Set(results.map((result) => result.version))).toEqual(new Set([1]));
    expect(await collectionOf(at.db, ruleSetResource).countDocuments({ org: at.org._id })).toBe(1);
  });

  test('wait for each other however long reading the files takes', async () => {
    let time = Date.now();
    const slow = {
      now() {
        time += 60_000;
        return new Date(time);
      },
    };
    const processes = await Promise.all([1, 2, 3].map(() => at.process(at.rulesDir, slow)));
    await at.write('shop/earn.json', earn('a', 1));
    const results = await Promise.all(processes.map((each) => each.publish(at.org._id)));
    expect(results.map(({ kind }) => kind).sort()).toEqual(['published', 'unchanged', 'unchanged']);
  });

  test('while files change never lose the last change', async () => {
    const processes = await Promise.all([at.process(), at.process(), at.process()]);
    for (let round = 1; round <= 10; round += 1) {
      const early = processes.map((each) => each.publish(at.org._id));
      await at.write('shop/earn.json', earn('a', round));
      const late = processes.map((each) => each.publish(at.org._id));
      await Promise.all([...early, ...late]);
      const rules = (await ruleSets.current(at.org._id, await version()))?.rules;
      expect(rules?.[0]?.actions[0]).toMatchObject({ points: round });
      expect((await status()).errors).toEqual([]);
    }
    const sets = await collectionOf(at.db, ruleSetResource).find({ org: at.org._id }).sort({ version: 1 }).toArray();
    expect(sets.map((set) => set.version)).toEqual(sets.map((_, index) => index + 1));
  });

  test('of different folders leave one of them in force, whole', async () => {
    const dirs = [path.join(at.rulesDir, 'one'), path.join(at.rulesDir, 'two')];
    await writeRules(path.join(dirs[0] ?? '', 'shop/earn.json'), [earn('a', 1), earn('b', 1)]);
    await writeRules(path.join(dirs[1] ?? '', 'shop/earn.json'), [earn('a', 2), earn('b', 2)]);
    const processes = await Promise.all(dirs.map((dir) => at.process(dir)));
    await Promise.all(processes.map((each) => each.publish(at.org._id)));
    const rules = (await ruleSets.current(at.org._id, await version()))?.rules ?? [];
    const points = rules.map(({ actions }) => JSON.stringify(actions));
    expect(rules).toHaveLength(2);
    expect(new Set(points).size).toBe(1);
    expect(await version()).toBe(2);
  });
});
