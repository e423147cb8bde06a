import { rm } from 'node:fs/promises';
import path from 'node:path';
import { restoreRules } from '#publishing/rulesets/aside/restoreRules';
import { rollBack } from '#publishing/rulesets/rollBack';
import { ruleSetStatus } from '#publishing/rulesets/ruleSetStatus';
import type { RuleSets } from '#publishing/rulesets/ruleSets';
import { scheduleRules } from '#publishing/rulesets/scheduleRules';
import { makePolicy, makeProgram } from '../../support/definitions';
import { numbers } from '../../support/numbers';
import { scaled, seedsOf } from '../../support/scale';
import { type TestClock, testClock } from '../../support/testClock';
import { difference, programOf, type RuleMap, RulesModel } from './rulesModel';
import { earn, type OrgStore, openStore, type TestOrg } from './store';

const programs = ['shop', 'club'];

let store: OrgStore;
beforeAll(async () => {
  store = await openStore();
});
afterAll(() => store.close());

/** An org with two programs, its files, and the model that says what must be in force. */
interface Stage {
  at: TestOrg;
  clock: TestClock;
  model: RulesModel;
  sets: RuleSets;
  /** The maps of rules that came into force, by version, as they are stored. */
  stored(version: number): Promise<RuleMap>;
}

async function openStage(): Promise<Stage> {
  const at = await store.addOrg();
  const clock = testClock();
  clock.set('2026-05-01T12:00:00Z');
  for (const code of programs) await makePolicy(at.db, at.author, await makeProgram(at.db, at.author, { code }));
  const model = new RulesModel();
  const sets = await at.process(at.rulesDir, clock);
  const stage: Stage = {
    at,
    clock,
    model,
    sets,
    async stored(version) {
      const set = await at.db.collection('rulesets').findOne({ org: at.org._id, version });
      const drafts: { programCode: string; key: string; actions: { points: number }[] }[] = set?.drafts ?? [];
      return new Map(drafts.map((rule) => [`${rule.programCode}/${rule.key}`, rule.actions[0]?.points ?? Number.NaN]));
    },
  };
  // Each program always has a file, and the first publication all of them.
  for (const code of programs) await edit(stage, `${code}/always`, 1);
  await edit(stage, 'shop/a', 1);
  await edit(stage, 'club/a', 1);
  await sets.publish(at.org._id);
  model.publish();
  return stage;
}

async function edit({ at, model }: Stage, id: string, points: number | undefined): Promise<void> {
  if (points === undefined) await rm(path.join(at.rulesDir, `${id}.json`), { force: true });
  else await at.write(`${id}.json`, earn(id.split('/')[1] ?? '', points));
  if (points === undefined) model.files.delete(id);
  else model.files.set(id, points);
}

type Step = (stage: Stage, draw: (n: number) => number) => Promise<string>;

/** What people, files and processes do, each with what the model does. It says what it did. */
const steps: Step[] = [
  changeFile,
  changeFile,
  async (stage, draw) => {
    const id = await changeFile(stage, draw);
    return `${id}, ${await publishAll(stage)}`;
  },
  publishAll,
  async function restart(stage) {
    await stage.sets.close();
    const started = await stage.at.process(stage.at.rulesDir, stage.clock);
    await started.start();
    // A watcher would load what later steps write, at a moment of its own.
    await started.close();
    stage.sets = await stage.at.process(stage.at.rulesDir, stage.clock);
    stage.model.publish();
    return 'restart';
  },
  rollBackSome,
  rollBackSome,
  async function restore({ at, clock, model }, draw) {
    const id = [...model.aside.keys()].sort()[draw(model.aside.size)];
    if (id === undefined) return 'nothing to restore';
    await restoreRules({ ...at, clock }, [{ program: programOf(id), key: id.split('/')[1] ?? '' }]);
    model.restore(id);
    return `restore ${id}`;
  },
  async function breakOrMend({ at, model }, draw) {
    const program = programs[draw(2)] ?? '';
    if (model.broken.delete(program)) await rm(path.join(at.rulesDir, program, 'broken.json'));
    else {
      await at.write(`${program}/broken.json`, '{');
      model.broken.add(program);
    }
    return `break or mend ${program}`;
  },
  async function schedule({ at, clock, model }, draw) {
    if (model.scheduled.length > 0) return 'scheduled already';
    const program = programs[draw(2)] ?? '';
    const own = [...model.files].filter(([id]) => programOf(id) === program);
    const files = own.map(([id, points]) => ({
      path: `${id}.json`,
      text: JSON.stringify(earn(id.split('/')[1] ?? '', points)),
    }));
    await scheduleRules({ ...at, clock }, { files }, new Date(clock.now().getTime() + 1_800_000));
    model.schedule(program);
    return `schedule ${program}`;
  },
  async function time({ at, clock, model, sets }) {
    clock.advance(3_600_000);
    await sets.adopt(at.org._id, clock.now());
    model.adopt();
    return 'an hour';
  },
];

async function changeFile(stage: Stage, draw: (n: number) => number): Promise<string> {
  const id = `${programs[draw(2)]}/${['a', 'b', 'c'][draw(3)]}`;
  const points = [undefined, 1, 2, 3][draw(4)];
  await edit(stage, id, points);
  return `${id} = ${points}`;
}

async function publishAll({ at, model, sets }: Stage): Promise<string> {
  const planned = await sets.plan(at.org._id);
  const { rules, aside } = model.published();
  expect(namesIn(planned.changes)).toEqual(model.diff(rules));
  expect(planned.setAside.map(({ program, key }) => `${program}/${key}`)).toEqual([...aside.keys()].sort());
  await sets.publish(at.org._id);
  model.publish();
  return 'publish';
}

async function rollBackSome({ at, clock, model }: Stage, draw: (n: number) => number): Promise<string> {
  const versions = [...model.versions.keys()];
  const version = versions[draw(versions.length)] ?? 1;
  await rollBack({ ...at, clock }, version);
  model.rollBack(version);
  return `roll back to ${version}`;
}

function namesIn(diff: Record<'added' | 'changed' | 'removed', { program: string; key: string }[]>) {
  const names = (rules: { program: string; key: string }[]) => rules.map(({ program, key }) => `${program}/${key}`);
  return { added: names(diff.added).sort(), changed: names(diff.changed).sort(), removed: names(diff.removed).sort() };
}

describe.each(seedsOf(9))('with the seed %i', (seed) => {
  test('the rules in force and their status follow the contract after each step', async () => {
    const draw = numbers(seed);
    for (let run = 0; run < scaled(4, seed); run += 1) {
      const stage = await openStage();
      const done: string[] = [];
      for (let n = 0; n < 25; n += 1) {
        done.push((await steps[draw(steps.length)]?.(stage, draw)) ?? '');
        const { version, files } = await ruleSetStatus(stage.at.db, stage.at.org._id);
        const inForce = await stage.stored(version ?? 0);
        const { model } = stage;
        const had = new Map([...model.aside].flatMap(([id, each]) => (each.had === undefined ? [] : [[id, each.had]])));
        const kept = new Map([...model.inForce].filter(([id]) => model.aside.has(id)));
        expect({
          done: done.join('; '),
          version,
          rules: [...inForce].sort(),
          files: files ? namesIn(files) : none,
        }).toEqual({
          done: done.join('; '),
          version: model.version,
          rules: [...model.inForce].sort(),
          files: difference(kept, had),
        });
      }
      await stage.sets.close();
    }
  });
});

const none = { added: [], changed: [], removed: [] };

test('rules of files that contradict what a rollback keeps are refused, and say so', async () => {
  const { at, sets, stored } = await openStage();
  const sale = { activity: { type: 'Accrual' } };
  const sees = (fired: string[]) => ({ ...earn('b', 1), tests: [{ name: 'fires', ...sale, expect: { fired } }] });
  await at.write('shop/c.json', earn('c', 1));
  await sets.publish(at.org._id);
  await rollBack(at, 1);
  await at.write('shop/b.json', sees(['a', 'always', 'b', 'c']));
  const { errors } = await sets.publish(at.org._id);
  expect(errors).toMatchObject([{ file: 'shop/b.json', message: expect.stringContaining('that a rollback keeps') }]);
  expect((await stored(4)).size).toBe(0);
  await at.write('shop/b.json', sees(['a', 'always', 'b']));
  // Without c the test of the files themselves fails: c has to leave its file, or be put back.
  await rm(path.join(at.rulesDir, 'shop/c.json'));
  expect(await sets.publish(at.org._id)).toMatchObject({ kind: 'published', errors: [] });
});

test('a program whose files are all gone has no rules any more, also none of a rollback', async () => {
  const { at, sets, stored } = await openStage();
  await rm(path.join(at.rulesDir, 'club/a.json'));
  await sets.publish(at.org._id);
  await rollBack(at, 1);
  await rm(path.join(at.rulesDir, 'club/always.json'));
  const { version = 0 } = await sets.publish(at.org._id);
  expect([...(await stored(version)).keys()].sort()).toEqual(['shop/a', 'shop/always']);
});

test('a rollback by an earlier release holds rule by rule too', async () => {
  const stage = await openStage();
  const { at, sets, stored } = stage;
  await edit(stage, 'shop/a', 3);
  await sets.publish(at.org._id);
  await rollBack(at, 1);
  const changes = { $unset: { setAside: '' }, $set: { filesVersion: 2 } };
  await at.db.collection('rulesets').updateOne({ org: at.org._id, version: 3 }, changes);
  await edit(stage, 'shop/b', 2);
  await sets.publish(at.org._id);
  expect(await stored(4)).toEqual(new Map([...(await stored(1)), ['shop/b', 2]]));
});

test('an unknown rule cannot be put back', async () => {
  const { at } = await openStage();
  await expect(restoreRules(at, [{ program: 'shop', key: 'z' }])).rejects.toMatchObject({ code: 1200 });
});
