import { rmSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { ObjectId } from 'bson';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import type { Member } from '#records/members/member';
import { earnRule, openWorld, redeemRule, type World } from '../../support/world';
import { type ActivityApi, activityApi } from '../activityApi';

const message = (key: string, changes: object) => ({
  ...earnRule,
  key,
  name: `Rule ${key}`,
  priority: 5,
  actions: [{ type: 'log', message: key }],
  ...changes,
});
const balance = { fact: 'member', path: '$.purse.Points.availBalance' };
const rules = [
  earnRule,
  redeemRule,
  message('before', { priority: 20, conditions: { all: [{ ...balance, operator: 'greaterThan', value: 100 }] } }),
  message('after', { conditions: { all: [{ ...balance, operator: 'equal', value: 0 }] } }),
  message('hours', { hours: { from: '18:00', to: '22:00' } }),
  message('member', {
    conditions: { all: [{ fact: 'activity', path: '$.memberID', operator: 'isEmpty', value: false }] },
  }),
  message('capped', { limits: [{ what: 'times', per: 'member', period: 'lifetime', max: 1, onExceed: 'skip' }] }),
];

let world: World;
let acting: ActivityApi;
let member: Member;

beforeAll(async () => {
  world = await openWorld({ rules, program: { timezone: 'America/New_York' } });
  world.services.clock.set('2026-03-01T12:00:00.000Z');
  acting = activityApi(world);
  member = await world.addMember();
});

afterAll(() => world.close());

const explain = async (id: string) => world.server.as('reader').get(`/activityhistories/${id}/explain`);

async function posted(body: object) {
  const { body: answer } = await acting.post(
    { type: 'Accrual', loyaltyID: member.loyaltyID, ...body },
    '?explain=true',
  );
  return { id: answer.result.data.activityId as string, ruleMatch: answer.ruleMatch };
}

async function explainCommand(what: string) {
  const lines: string[] = [];
  const add = (line: string) => void lines.push(line);
  const streams = { input: new PassThrough(), out: add, err: add };
  const { rulesDir, services } = world;
  const config = { ORG: 'test', dataDir: rulesDir, rulesDir, MONGODB_URI: String(services.config.MONGODB_URI) };
  return { code: await runCommand(rulesCommand(config, streams), ['explain', what], streams), lines };
}

test('an old activity is explained by the rules and values of its day, as it was when it was posted', async () => {
  const first = await posted({ value: 30 });
  await acting.processed('Accrual', member._id, { value: 1000 });
  await world.publish([{ ...earnRule, key: 'other' }]);
  rmSync(path.join(world.rulesDir, 'main', 'rules.json'));
  const { status, body } = await explain(first.id);
  expect([status, body.activityId, body.ruleSet]).toEqual([200, first.id, 1]);
  expect(body.ruleMatch).toEqual(first.ruleMatch);
  const actual = Object.fromEntries(
    body.ruleMatch.map((each: { key: string; sentence: string }) => [each.key, each.sentence]),
  );
  expect(actual).toEqual({
    earn: 'It fired for 30 points in Points.',
    before: "It needs that the avail balance of the member's purse Points is above 100: it was 0.",
    after: "It needs that the avail balance of the member's purse Points is 0: it was 30.",
    hours: 'It holds from 18:00 to 22:00: it was Sun 07:00 (America/New_York).',
    member: "It needs that the activity's member ID is not empty: it was missing.",
    capped: 'It fired.',
  });
  expect(body.nearestMiss).toMatchObject({ key: 'before', lacking: 1 });
  await world.publish(rules);
});

test('a rule that a limit cut is explained as it was stored', async () => {
  const { id, ruleMatch } = await posted({ value: 1 });
  const { body } = await explain(id);
  expect(body.ruleMatch).toEqual(ruleMatch);
  expect(body.ruleMatch).toContainEqual(
    expect.objectContaining({ key: 'capped', fired: false, reason: 'limitReached' }),
  );
});

test('an activity that failed is explained too', async () => {
  const { id, ruleMatch } = await posted({ type: 'Redemption', value: 1_000_000 });
  const { body } = await explain(id);
  expect(body.ruleMatch).toEqual(ruleMatch);
  expect(body.ruleMatch[0]).toMatchObject({ reason: 'error', sentence: expect.stringMatching(/^It failed: /) });
});

test('an activity that was refused before the rules, or processed without rules, says so', async () => {
  const suspended = await world.addMember({ status: 'Suspended' });
  const { body: refused } = await acting.post({ type: 'Accrual', memberID: suspended._id, value: 1 });
  expect((await explain(refused.result.data.activityId)).body).toMatchObject({
    ruleMatch: [],
    nearestMiss: null,
    message: expect.stringMatching(/^The activity was refused before any rule was asked: ./),
  });
  const { id } = await posted({ value: 1 });
  const histories = world.services.db.collection('activityhistories');
  await histories.updateOne({ _id: new ObjectId(id) }, { $unset: { ruleSet: 1, factsRead: 1 } });
  expect((await explain(id)).body).toMatchObject({
    activityId: id,
    ruleSet: null,
    ruleMatch: [],
    nearestMiss: null,
    message: 'No rule set was in force when this activity was processed.',
  });
});

test('the explanation names values that were not kept', async () => {
  const { id } = await posted({ value: 7 });
  await world.services.db
    .collection('activityhistories')
    .updateOne({ _id: new ObjectId(id) }, { $unset: { factsRead: 1 } });
  const { body } = await explain(id);
  expect(body.ruleMatch).toContainEqual(
    expect.objectContaining({
      key: 'after',
      reason: 'conditionFailed',
      notKept: ["the avail balance of the member's purse Points is 0"],
    }),
  );
  expect(body.ruleMatch).toContainEqual(expect.objectContaining({ key: 'earn', fired: true }));
});

test('erasing a member takes the values that its rules read out of its histories, which stay explained', async () => {
  const gone = await world.addMember();
  const id = await acting.processed('Accrual', gone._id, { value: 5 });
  await world.server.as('admin').delete(`/members/${gone._id}`);
  await world.server.as('admin').post('/jobs/members/run');
  const stored = await world.services.db.collection('activityhistories').findOne({ _id: new ObjectId(id) });
  expect(stored).not.toHaveProperty('factsRead');
  expect((await explain(id)).body.ruleMatch).toContainEqual(expect.objectContaining({ key: 'earn', fired: true }));
});

test('the kept values are hidden from reads, and another org and an unknown id get 404', async () => {
  const { id } = await posted({ value: 2 });
  expect(await acting.history(id)).not.toHaveProperty('factsRead');
  expect((await explain(new ObjectId().toHexString())).status).toBe(404);
  expect((await explain('nonsense')).status).toBe(400);
  await world.services.db
    .collection('activityhistories')
    .updateOne({ _id: new ObjectId(id) }, { $set: { org: new ObjectId() } });
  expect((await explain(id)).status).toBe(404);
});

test('the command explains an activity, and a rule by its key', async () => {
  const { id } = await posted({ value: 3 });
  const { code, lines } = await explainCommand(id);
  expect([code, lines[0]]).toEqual([0, expect.stringMatching(`^Activity ${id}, rule set \\d+$`)]);
  expect(lines).toContain('✓ earn: It fired for 3 points in Points.');
  expect(lines.at(-1)).toMatch(/^Nearest miss: Rule \w+ lacked one condition: /);
  expect((await explainCommand('capped')).lines).toEqual([
    'capped: Rule capped',
    '  in main/rules.json, program main, active, priority 5',
    'For',
    '  - Accrual',
    'When',
    '  - always',
    'Then',
    '  - log "capped"',
    'Within',
    '  - 1 time per member: beyond it, the rule does not fire',
  ]);
  expect(await explainCommand('caped')).toEqual({
    code: 1,
    lines: ['No rule or rule file is "caped" (did you mean "capped"?)'],
  });
  expect((await explainCommand(new ObjectId().toHexString())).lines).toEqual([
    expect.stringMatching(/^There is no activity /),
  ]);
});

test('the command explains the rules of a file by its name', async () => {
  for (const name of ['main/rules.json', 'rules.json', path.join(world.rulesDir, 'main', 'rules.json')]) {
    const { code, lines } = await explainCommand(name);
    expect([code, lines.filter((line) => /^\w+: /.test(line)).sort()]).toEqual([
      0,
      rules.map(({ key, name: title }) => `${key}: ${title}`).sort(),
    ]);
  }
});

test('the points that a rule moved are shown by purse, and dates by the clock of the program', async () => {
  await world.publish([
    message('two', { actions: [3, 4].map((points) => ({ type: 'addPoints', purse: 'Points', points })) }),
    { ...redeemRule, activityTypes: ['Accrual'], priority: 1 },
    message('later', { effective: { from: '2026-12-01T05:00:00Z' } }),
  ]);
  const { id, ruleMatch } = await posted({ value: 5 });
  const { body } = await explain(id);
  const actual = Object.fromEntries(
    body.ruleMatch.map((each: { key: string; sentence: string }) => [each.key, each.sentence]),
  );
  expect(actual).toEqual({
    two: 'It fired for 7 points in Points.',
    redeem: 'It fired and took 5 points from Points.',
    later:
      "It begins on 1 December 2026, 00:00 (America/New_York): the activity's date was 1 March 2026, 07:00 (America/New_York).",
  });
  expect(ruleMatch).toEqual(body.ruleMatch);
  await world.publish(rules);
});

test('an explanation of 2,000 rules stays below 100 kB; the rest is shown on request', async () => {
  const columns = { over: { fact: 'activity', path: '$.value', operator: 'greaterThan' } };
  const rows = Array.from({ length: 2000 }, (_, n) => ({ over: 10 * (2000 - n) }));
  await world.publish([earnRule, message('many', { table: { columns, rows } })]);
  const { id, ruleMatch } = await posted({ value: 25 });
  const { body } = await explain(id);
  for (const answer of [body, ruleMatch]) expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(100_000);
  expect(body.ruleMatch.filter(({ fired }: { fired: boolean }) => fired)).toHaveLength(3);
  expect(body.omitted + body.ruleMatch.length).toBe(2001);
  expect(body.ruleMatch.map(({ key }: { key: string }) => key)).toContain(body.nearestMiss.key);
  expect(body.nearestMiss.failedConditions).toMatchObject([{ expected: 30, actual: 25 }]);
  const all = await world.server.as('reader').get(`/activityhistories/${id}/explain?all=true`);
  expect(all.body.ruleMatch).toHaveLength(2001);
  expect(all.body).not.toHaveProperty('omitted');
  await world.publish(rules);
});
