import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { ObjectId } from 'bson';
import { runCommand } from '#commands/base/runCommand';
import { rulesCommand } from '#commands/rules';
import { jobs } from '#operations/jobs/jobs';
import type { Client } from '../../support/client';
import { makePolicy, makeProgram } from '../../support/definitions';
import { serveTest, type TestServer } from '../../support/server';
import { openAlongside, type TestServices } from '../../support/services';
import { untilAnswered } from '../../support/untilAnswered';
import { openWorld, type World } from '../../support/world';
import { earn } from './store';

const start = new Date('2026-05-01T12:00:00.000Z');
const hour = 3_600_000;

let world: World;
let services: TestServices;
let besides: Awaited<ReturnType<typeof openAlongside>>;
let beside: TestServer;
let managers: Client[];
let manager: Client;
let club: ObjectId;

/** A world with two programs and two services on the same stores. Each test goes on from the versions of the last. */
beforeAll(async () => {
  world = await openWorld({ rules: [earn('good', 1)] });
  ({ services } = world.server);
  const program = await makeProgram(services.db, world.author, { code: 'club' });
  await makePolicy(services.db, world.author, program);
  club = program._id;
  writeRules('club', [earn('member', 10)]);
  await services.ruleSets.publish(services.org._id);
  besides = await openAlongside(services);
  beside = await serveTest({ ...besides, org: services.org, users: services.users });
  managers = [world.server.as('program-manager'), beside.as('program-manager')];
  manager = world.server.as('program-manager');
});
afterAll(async () => {
  await beside.close();
  await besides.close();
  await world.close();
});

let now = start;
beforeEach(() => {
  now = new Date(now.getTime() + 24 * hour);
  services.clock.set(now);
});

function writeRules(code: string, rules: object[]) {
  mkdirSync(path.join(world.rulesDir, code), { recursive: true });
  writeFileSync(path.join(world.rulesDir, code, 'rules.json'), JSON.stringify(rules));
}

const later = (ms = hour) => new Date(now.getTime() + ms).toISOString();
const files = (points: number) => [{ path: 'main/rules.json', text: JSON.stringify([earn('good', points)]) }];
const schedule = async (body: object) => {
  const answer = await manager.post('/rulesets/schedule', body);
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
  return answer.body.version as number;
};
const current = async (at = manager) => (await at.get('/rulesets/current')).body;
const listed = async (version: number) =>
  (await manager.get('/rulesets')).body.find((each: { version: number }) => each.version === version);

/** Posts a purchase of a new member; the points, and the version that evaluated it. */
async function buy(till: Client, program?: ObjectId): Promise<[points: number, ruleSet: number]> {
  const member = await world.addMember(program ? { program } : {});
  const { body } = await till.post('/activity', { type: 'Accrual', memberID: member._id, value: 5 });
  expect(body.result.errors).toEqual([]);
  const { body: history } = await till.get(`/activityhistories/${body.result.data.activityId}`);
  return [body.member.purses[0].balance, history.ruleSet];
}
const tills = () => [world.server.as('client'), beside.as('client')];

test('scheduled rules come into force at their instant in every process, and not a millisecond earlier', async () => {
  const before = (await current()).version;
  const version = await schedule({ from: later(), files: files(7) });
  expect(await current()).toMatchObject({
    version: before,
    scheduled: [{ version, from: later(), programs: ['main'] }],
  });
  expect(await listed(version)).toMatchObject({ version, from: later(), programs: ['main'] });
  const { body: diff } = await manager.get(`/rulesets/${before}/diff?to=${version}`);
  expect(diff).toMatchObject({ changed: [{ program: 'main', key: 'good' }], added: [], removed: [] });

  services.clock.set(new Date(Date.parse(later()) - 1));
  for (const till of tills()) expect(await buy(till)).toEqual([1, before]);
  services.clock.set(later());
  const all = await Promise.all([...tills(), ...tills(), ...tills()].map((till) => buy(till)));
  expect(all).toEqual(all.map(() => [7, version + 1]));
  for (const at of managers) {
    const status = await current(at);
    expect(status).toMatchObject({ version: version + 1, held: ['main'] });
    expect(status).not.toHaveProperty('scheduled');
  }
  expect(await listed(version)).toMatchObject({ adoptedAs: version + 1 });
  expect(await listed(version + 1)).toMatchObject({ scheduleOf: version, from: later() });
});

test('a dry run of a future instant uses the rules in force, and puts no others into force', async () => {
  const version = await schedule({ from: later(), files: files(9) });
  const before = await current();
  const till = world.server.as('client');
  const sale = { type: 'Accrual', memberID: (await world.addMember())._id, value: 5 };
  const dryRun = async (asOf: string) => {
    const { body } = await till.post(`/activity?persist=false&asOf=${asOf}`, sale);
    return [body.result.errors, body.member.purses[0].balance];
  };
  expect(await dryRun(later(2 * hour))).toEqual(await dryRun(later(0)));
  const { activityId } = (await till.post('/activity', sale)).body.result.data;
  const cancel = await till.post(`/activity/${activityId}/cancel?persist=false&asOf=${later(2 * hour)}`, {});
  expect(cancel.status).toBe(200);
  expect(await current()).toEqual(before);
  expect(before.scheduled).toMatchObject([{ version }]);
  await manager.post(`/rulesets/${version}/withdraw`, {});
});

test('under traffic in two processes no activity has rules of the other side of the instant', async () => {
  const before = (await current()).version;
  const version = await schedule({ from: later(), files: files(3) });
  const from = Date.parse(later());
  services.clock.set(new Date(from - 5));
  const results: { at: number; points: number; ruleSet: number }[] = [];
  const run = async (till: Client) => {
    for (let n = 0; n < 12; n += 1) {
      const [points, ruleSet] = await buy(till);
      results.push({ at: services.clock.now().getTime(), points, ruleSet });
      services.clock.advance(1);
    }
  };
  await Promise.all(tills().flatMap((till) => [run(till), run(till)]));
  expect(new Set(results.map(({ points, ruleSet }) => `${points} ${ruleSet}`))).toEqual(
    new Set([`7 ${before}`, `3 ${version + 1}`]),
  );
  const { body: histories } = await manager.get(
    `/activityhistories?query=${JSON.stringify({ ruleSet: { $in: [before, version + 1] } })}&limit=1000`,
  );
  for (const { oplogTS, ruleSet } of histories) {
    if (oplogTS >= from - 5) expect([oplogTS, ruleSet]).toEqual([oplogTS, oplogTS < from ? before : version + 1]);
  }
});

test('other programs keep what was published in the meantime; a restart and a missed instant do not matter', async () => {
  const version = await schedule({ from: later(), files: files(20) });
  writeRules('club', [earn('member', 11)]);
  await services.ruleSets.publish(services.org._id);
  const meanwhile = (await current()).version;
  expect(meanwhile).toBe(version + 1);
  expect(await buy(tills()[0] as Client)).toEqual([3, meanwhile]);
  services.clock.set(later(30 * 24 * hour));
  const restarted = await openAlongside(services);
  try {
    const scope = { org: services.org._id, now: services.clock.now() };
    const done = await jobs.rules.run({ ...restarted, config: services.config } as never, scope);
    expect(done).toEqual({ adopted: 1 });
    expect(await jobs.rules.run({ ...restarted, config: services.config } as never, scope)).toEqual({ adopted: 0 });
  } finally {
    await restarted.close();
  }
  expect(await buy(tills()[1] as Client)).toEqual([20, version + 2]);
  expect(await buy(tills()[0] as Client, club)).toEqual([11, version + 2]);
  now = services.clock.now();
});

test('the scheduled rules stay until the files of their program change; a rollback ends them', async () => {
  await services.ruleSets.publish(services.org._id);
  expect((await buy(tills()[0] as Client))[0]).toBe(20);
  const { version } = await current();
  expect((await manager.post(`/rulesets/${version - 1}/rollback`, {})).body).toEqual({ version: version + 1 });
  expect((await buy(tills()[0] as Client))[0]).toBe(3);
  writeRules('main', [earn('good', 2)]);
  await services.ruleSets.publish(services.org._id);
  expect((await buy(tills()[0] as Client))[0]).toBe(2);
});

test('several scheduled versions wait in order, and a withdrawal is recorded', async () => {
  const before = (await current()).version;
  const second = await schedule({ from: later(2 * hour), version: 1 });
  const first = await schedule({ from: later(), files: files(9) });
  const third = await schedule({ from: later(3 * hour), files: files(50) });
  expect((await current()).scheduled.map(({ version }: { version: number }) => version)).toEqual([
    first,
    second,
    third,
  ]);
  expect((await manager.post(`/rulesets/${third}/withdraw`, {})).body).toEqual({ version: third });
  const { userId } = services.users['program-manager'].principal;
  expect(await listed(third)).toMatchObject({ withdrawnAt: now.toISOString(), withdrawnBy: userId.toHexString() });
  for (const gone of [third, before, 9999]) {
    expect((await manager.post(`/rulesets/${gone}/withdraw`, {})).status).toBe(404);
  }
  services.clock.set(later(4 * hour));
  expect((await buy(tills()[0] as Client))[0]).toBe(1);
  expect([await listed(first), await listed(second)]).toMatchObject([
    { adoptedAs: third + 1 },
    { adoptedAs: third + 2 },
  ]);
  expect((await current()).version).toBe(third + 2);
});

test('a schedule with faults, a past instant or names in use is refused', async () => {
  const purse = earn('good', 1);
  const broken = { ...purse, actions: [{ type: 'addPoints', purse: 'Pionts', points: 1 }] };
  const bad = [{ path: 'main/rules.json', text: JSON.stringify([broken]) }];
  for (const [body, message] of [
    [{ from: later(), files: bad }, /unknown purse "Pionts"/],
    [{ from: now.toISOString(), files: files(1) }, /later than now/],
    [{ from: later(), files: [{ path: 'main/x.txt', text: '[]' }] }, /neither a rule file nor a table/],
    [{ from: later(), files: [{ path: 'main/r.JSON', text: '[]' }] }, /neither a rule file nor a table/],
    [{ from: later(), files: [{ path: 'main/t.csv', text: 'a\n1' }] }, /no rule file .* beside this table/],
    [{ from: later(), files: [{ path: 'main/.r.json', text: '[]' }] }, /hold no rule file/],
    [{ from: later() }, /is needed/],
    [{ from: later(), files: files(1), version: 1 }, /is needed/],
  ] as const) {
    const answer = await manager.post('/rulesets/schedule', body);
    expect([answer.status, answer.body.errors[0].message]).toEqual([422, expect.stringMatching(message)]);
  }
  expect((await manager.post('/rulesets/schedule', { from: later(), version: 9999 })).status).toBe(404);
  expect((await world.server.as('client').post('/rulesets/schedule', { from: later(), version: 1 })).status).toBe(403);
  const spare = await makePolicy(services.db, world.author, world.program, { name: 'Spare', primary: false });
  const uses = { ...purse, actions: [{ type: 'addPoints', purse: 'Spare', points: 1 }] };
  const version = await schedule({
    from: later(),
    files: [{ path: 'main/rules.json', text: JSON.stringify([uses]) }],
  });
  const admin = world.server.as('admin');
  expect((await admin.delete(`/pursepolicies/${spare._id}`)).body.errors).toMatchObject([{ kind: 'inUse' }]);
  await manager.post(`/rulesets/${version}/withdraw`, {});
  expect((await admin.delete(`/pursepolicies/${spare._id}`)).status).toBe(204);
});

test('a version that is withdrawn while others are being scheduled stays withdrawn', async () => {
  const gone = await schedule({ from: later(), files: files(9) });
  const rules = Array.from({ length: 300 }, (_, n) => earn(`good-${n}`, 1));
  const many = [{ path: 'main/rules.json', text: JSON.stringify(rules) }];
  const body = { from: later(2 * hour), files: many };
  // To schedule 300 rules takes longer than to withdraw one version. The same rules twice are no further version.
  const [planned, withdrawn] = await Promise.all([
    untilAnswered(() => manager.post('/rulesets/schedule', body)),
    untilAnswered(() => manager.post(`/rulesets/${gone}/withdraw`, {})),
  ]);
  expect([planned.status, withdrawn.status]).toEqual([200, 200]);
  const { version } = planned.body;
  expect((await current()).scheduled).toMatchObject([{ version }]);
  expect((await current()).scheduled).toHaveLength(1);
  await manager.post(`/rulesets/${version}/withdraw`, {});
});

test('equal rules for one instant make no further version', async () => {
  const version = await schedule({ from: later(), files: files(9) });
  expect(await schedule({ from: later(), files: files(9) })).toBe(version);
  const others = [
    await schedule({ from: later(2 * hour), files: files(9) }),
    await schedule({ from: later(), files: files(8) }),
  ];
  expect(others).toEqual([version + 1, version + 2]);
  for (const each of [version, ...others]) await manager.post(`/rulesets/${each}/withdraw`, {});
  expect(await schedule({ from: later(), files: files(9) })).toBe(version + 3);
  await manager.post(`/rulesets/${version + 3}/withdraw`, {});
});

/** Makes a caller of `npm run rules`, which adds what the command writes to `lines`. */
function commandLine(lines: string[]) {
  const add = (line: string) => void lines.push(line);
  const streams = { input: new PassThrough(), out: add, err: add };
  const { rulesDir } = world;
  const config = { ORG: 'test', dataDir: rulesDir, rulesDir, MONGODB_URI: String(services.config.MONGODB_URI) };
  return (...args: string[]) => runCommand(rulesCommand(config, streams), args, streams);
}

test('a plain day is midnight in the time zone of the programs, when they have only one', async () => {
  const lines: string[] = [];
  const run = commandLine(lines);
  const { rulesDir } = world;
  const program = await makeProgram(services.db, world.author, { code: 'tokyo', timezone: 'Asia/Tokyo' });
  await makePolicy(services.db, world.author, program);
  const next = path.join(rulesDir, '..', `${path.basename(rulesDir)}-days`);
  mkdirSync(path.join(next, 'tokyo'), { recursive: true });
  writeFileSync(path.join(next, 'tokyo', 'rules.json'), JSON.stringify([earn('day', 1)]));
  expect(await run('schedule', next, '--from', '2099-12-01')).toBe(0);
  const [{ version }] = (await current()).scheduled;
  expect(await run('withdraw', String(version))).toBe(0);
  cpSync(path.join(rulesDir, 'main'), path.join(next, 'main'), { recursive: true });
  expect(await run('schedule', next, '--from', '2099-12-01')).toBe(1);
  expect(await run('schedule', next, '--from', '2099-02-29')).toBe(1);
  expect([lines[0], ...lines.slice(2)]).toEqual([
    `Rule set ${version} comes into force at 2099-11-30T15:00:00.000Z`,
    '--from 2099-12-01 begins in main at 2099-12-01T00:00:00.000Z, in tokyo at 2099-11-30T15:00:00.000Z: write one moment with its offset, or schedule them apart',
    expect.stringMatching(/^--from 2099-02-29 is no date/),
  ]);
  expect(await current()).not.toHaveProperty('scheduled');
});

test('the command schedules the files of a folder, and withdraws', async () => {
  const lines: string[] = [];
  const run = commandLine(lines);
  const { rulesDir } = world;
  const next = path.join(rulesDir, '..', `${path.basename(rulesDir)}-next`);
  cpSync(path.join(rulesDir, 'main'), path.join(next, 'main'), { recursive: true });
  expect(await run('schedule', next, '--from', '2099-01-01T00:00:00Z')).toBe(0);
  const [planned] = (await current()).scheduled;
  expect(lines).toEqual([`Rule set ${planned.version} comes into force at 2099-01-01T00:00:00.000Z`]);
  expect(await run('schedule', next, '--from', '2001-01-01T00:00:00Z')).toBe(1);
  expect(await run('schedule', next, '--from', 'soon')).toBe(1);
  expect(await run('schedule', next, '--from', '2099-12-01T00:00:00')).toBe(1);
  expect(await run('schedule', path.join(next, 'main'), '--from', '2099-01-01T00:00:00Z')).toBe(1);
  expect(await run('withdraw', String(planned.version))).toBe(0);
  expect(await run('withdraw', String(planned.version))).toBe(1);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/later than now/),
    expect.stringMatching(/^--from soon is no date: write a day, .* or a moment with its offset/),
    expect.stringMatching(/^--from 2099-12-01T00:00:00 does not say its offset from UTC: .*2026-12-01T06:00:00-05:00/),
    expect.stringMatching(/No rule files|no program/),
    `Rule set ${planned.version} is withdrawn`,
    expect.stringMatching(/was not found|not/),
  ]);
  expect(await current()).not.toHaveProperty('scheduled');
});
