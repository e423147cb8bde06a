import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { storeGaugeLimits } from '#base/metrics/storeGauges';
import { createMember } from '#members/members/createMember';
import { activityApi } from '../../activities/activityApi';
import { makePolicy, makeProgram } from '../../support/definitions';
import { addWorld, earnRule, openWorld, type World } from '../../support/world';
import { earn, writeRules } from './store';

let world: World;
let clubMember: string;
beforeAll(async () => {
  jest.replaceProperty(storeGaugeLimits as { everyMs: number }, 'everyMs', 0);
  world = await openWorld({ rules: [earnRule], config: {} });
  clubMember = await addClub();
  await world.services.ruleSets.start();
});
afterAll(() => {
  jest.restoreAllMocks();
  return world.close();
});

const put = (file: string, content: unknown) => writeRules(path.join(world.rulesDir, file), content);
const refresh = () => world.server.as('program-manager').post('/refreshcache?entity=Rule');

/** Makes the program `club` without rule files, and a member of it. */
async function addClub(): Promise<string> {
  const { services, author } = world;
  const program = await makeProgram(services.db, author, { code: 'club' });
  await makePolicy(services.db, author, program);
  const member = await createMember(services, author, { program: program._id }, services.clock.now());
  return member._id.toHexString();
}

async function post(memberID: string, query = '') {
  const { body } = await world.server.as('client').post(`/activity${query}`, { type: 'Accrual', memberID, value: 50 });
  return body;
}

async function ready() {
  // Readiness looks at most once a second.
  await sleep(1100);
  return (await world.server.anonymous.send('GET', '/health/ready')).body.checks.ruleSet;
}

async function gauges(): Promise<string[]> {
  const { text } = await fetch(`${world.server.url}/metrics`).then(async (answer) => ({ text: await answer.text() }));
  return text.split('\n').filter((line) => /^loyalty_(?:ruleset_faults|programs_without_rules)\{/.test(line));
}

const note = {
  action: 'rulesRefused',
  type: 'Accrual',
  time: expect.any(String),
  results: { program: 'club', message: expect.stringContaining('No rule of program "club" is in force') },
};

test('a program without accepted files says so, and the others work', async () => {
  expect((await post(clubMember)).result).toMatchObject({ log: [], data: { status: 'Processed' } });
  await put('club/earn.json', '[{');
  await put('main/rules.json', [earn('twenty', 20)]);
  const { status, body } = await refresh();
  expect({ status, body }).toBeRefused(422, 1200, { message: 'Validation Error' });
  expect(body.errors).toMatchObject([{ kind: 'rule', path: expect.stringMatching(/^club\/earn\.json:1:\d+$/) }]);
  expect(body.programs).toEqual({ published: ['main'], kept: [], withoutRules: ['club'] });

  expect(await ready()).toEqual({ version: 2, faults: 1, withoutRules: ['club'] });
  expect(await gauges()).toEqual([
    'loyalty_ruleset_faults{org="test",program="club"} 1',
    'loyalty_programs_without_rules{org="test",program="club"} 1',
  ]);
  const current = await world.server.as('reader').get('/rulesets/current');
  expect(current.body).toMatchObject({ version: 2, rules: 1, errors: [{ file: 'club/earn.json', line: 1 }] });

  const { _id } = await world.addMember();
  const other = await post(_id.toHexString());
  expect(other.result.log).toMatchObject([{ action: 'addPoints' }]);
  expect(other.member.purses[0].balance).toBe(20);
  const actual = await post(clubMember);
  expect(actual.result).toMatchObject({ log: [note], errors: [], data: { status: 'Processed' } });
  expect(actual.result.log).toHaveLength(1);
});

test.each(['', '?persist=false', '?explain=true'])(
  'activities of a program without rules say so however they are posted: %j',
  async (query) => {
    expect((await post(clubMember, query)).result.log).toMatchObject([note]);
  },
);

test('queued activities of a program without rules say so too', async () => {
  const acting = activityApi(world);
  const body = { type: 'Accrual', memberID: clubMember, value: 50, externalTxnId: 'queued' };
  await acting.post(body, '?async=true');
  await acting.drain();
  const status = await world.server.as('client').get('/activity/status/queued');
  expect(status.body).toMatchObject({ status: 'Processed', result: { log: [note] } });
});

test('explain says why the member got no points, also after the files are fixed', async () => {
  const { result } = await post(clubMember);
  const explain = () => world.server.as('reader').get(`/activityhistories/${result.data.activityId}/explain`);
  const message = expect.stringContaining('its rule files were refused');
  expect((await explain()).body).toMatchObject({ ruleMatch: [], nearestMiss: null, message });
  await put('club/earn.json', [earn('ten', 10)]);
  expect((await refresh()).body).toEqual({ status: 'success' });
  expect((await explain()).body).toMatchObject({ ruleMatch: [], message });
  expect(await ready()).toEqual({ version: 3, faults: 0, withoutRules: [] });
  expect(await gauges()).toEqual([]);
  const earned = await post(clubMember);
  expect(earned.result.log).toMatchObject([{ action: 'addPoints' }]);
});

test('rules in force that a fault keeps still award, without a note in the log of the activity', async () => {
  await put('club/earn.json', [earn('ten', 11), earn('ten', 12)]);
  expect((await refresh()).body.programs).toEqual({ published: ['main'], kept: ['club'], withoutRules: [] });
  expect(await ready()).toEqual({ version: 3, faults: 1, withoutRules: [] });
  const { result } = await post(clubMember);
  expect(result.log).toMatchObject([{ action: 'addPoints' }]);
  expect(result.log).toHaveLength(1);
});

test('the faults of another org are shown with its name', async () => {
  const other = await addWorld(world, { rules: [earnRule] });
  await writeRules(path.join(other.rulesDir, 'main/rules.json'), '[');
  expect((await other.server.as('admin').post('/refreshcache?entity=Rule')).status).toBe(422);
  expect(await gauges()).toContain(`loyalty_ruleset_faults{org="${other.services.org.code}",program="main"} 1`);
  await rm(path.join(other.rulesDir, 'main/rules.json'));
  expect((await other.server.as('admin').post('/refreshcache?entity=Rule')).status).toBe(422);
  expect((await gauges()).join()).not.toContain(other.services.org.code);
});

test('while rule files change under traffic, one version decides each activity, whole', async () => {
  const { _id } = await world.addMember();
  const members = [_id.toHexString(), clubMember];
  const rounds = 6;
  let isChanging = true;
  const posted: string[] = [];
  const till = async () => {
    for (let n = 0; isChanging; n += 1) posted.push((await post(members[n % 2] ?? '')).result.data.activityId);
  };
  const tills = Array.from({ length: 4 }, till);
  for (let round = 1; round <= rounds; round += 1) {
    await put('main/rules.json', [earn('one', round), earn('two', round)]);
    await put('club/earn.json', round % 2 === 0 ? '{' : [earn('one', round * 100), earn('two', round * 100)]);
    expect((await refresh()).status).toBe(round % 2 === 0 ? 422 : 200);
  }
  isChanging = false;
  await Promise.all(tills);
  posted.push((await post(members[0] ?? '')).result.data.activityId);
  const versions = new Set<number>();
  for (const id of posted) {
    const { ruleSet, program, ruleMatch } = await activityApi(world).history(id);
    versions.add(ruleSet);
    const granted = ruleMatch.map(({ granted: points }: { granted: number }) => points);
    expect(granted).toEqual(await pointsOf(ruleSet, program));
  }
  expect(versions.size).toBeGreaterThan(rounds / 2);
  expect(await pointsOf(Math.max(...versions), world.program._id.toHexString())).toEqual([rounds, rounds]);
});

/** The points that the rules of a program give in a version of the rule set, in rule order. */
async function pointsOf(version: number, program: string): Promise<unknown[]> {
  const set = await world.services.ruleSets.current(world.services.org._id, version);
  const own = set?.rules.filter(({ programId }) => programId.toHexString() === program) ?? [];
  return own.flatMap(({ actions }) => actions.map((action) => action.type === 'addPoints' && action.points));
}
