import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import type { Member } from '#records/members/member';
import { type Client, client } from '../support/client';
import { environment, type ServiceProcess, startApi } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';
import { type ChangedCopy, changedCopy } from './changedCopy';

/** Makes each change exactly as docs/ARCHITECTURE.md describes, in a copy of the sources, and runs that copy. */
let world: World;
let member: Member;
let copy: ChangedCopy;
let api: ServiceProcess & { url: string };
let as: (role: 'admin' | 'program-manager' | 'client' | 'reader') => Client;

// biome-ignore lint/suspicious/noExplicitAny: a document that the test looks into
const documentOf = async (): Promise<any> => (await fetch(`${api.url}/openapi.json`)).json();

/** Days before and after the end of a season of four months. */
const days = ['2025-09-01', '2025-12-31', '2026-01-01', '2026-04-30'].map((day) => `${day}T12:00:00.000Z`);
const buy = (of: Client, date: string) =>
  of.post('/activity', { type: 'Accrual', memberID: member._id, value: 10, date });

/** Adds an endpoint: one object, and the file of its use case. */
function addEndpoint(): void {
  copy.add(
    'src/members/members/countMembers.ts',
    `import type { ObjectId } from 'bson';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';

export async function countMembers({ db }: Pick<Infrastructure, 'db'>, org: ObjectId): Promise<number> {
  return collectionOf(db, memberResource).countDocuments({ org });
}
`,
  );
  copy.addImport('src/members/members/routes.ts', `import { countMembers } from './countMembers';`);
  copy.addLine(
    'src/members/members/routes.ts',
    'export const memberRoutes: Route[] = [',
    `  defineRoute({
    method: 'GET',
    path: '/membertotal',
    permission: 'members:read',
    summary: 'Count the members',
    responses: { 200: Type.Object({ total: Type.Integer() }) },
    handle: async ({ services, principal }) =>
      ok({ total: await countMembers(services, principal.org) }),
  }),`,
  );
}

/** Adds a resource: one file, and a line in the list of resources. */
function addResource(): void {
  copy.add(
    'src/records/catalog/voucher.ts',
    `import { text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

export const voucherResource = defineResource({
  name: 'Voucher',
  path: 'vouchers',
  access: 'managed',
  tag: 'Catalog',
  fields: { code: text(50) },
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});
`,
  );
  copy.addImport('src/server/services/resources.ts', `import { voucherResource } from '#records/catalog/voucher';`);
  copy.addLine(
    'src/server/services/resources.ts',
    'export const resources: readonly Resource[] = [',
    '  voucherResource,',
  );
}

/** Adds a period of aggregates: one row. */
function addPeriod(): void {
  copy.addLine(
    'src/base/calendar/periods.ts',
    'const monthPeriods = [',
    `  { name: 'seasonal', unit: 'season', months: 4, model: 'SeasonAggregate', path: 'seasonaggregates', of: 'Season' },`,
  );
}

/** Adds a rule action: one definition, and a line in the list of actions. */
function addAction(): void {
  copy.add(
    'src/engine/rules/actions/donatePoints.ts',
    `import { text } from '#base/schema/atoms';
import { amount, amountOf } from '../language/amount';
import { pointsText } from '../words/amountText';
import { defineAction } from './action';

export const donatePoints = defineAction({
  type: 'donatePoints',
  description: 'Takes points for a good cause, and counts them',
  params: { purse: text(100, { description: 'Whose points' }), points: amount },
  amounts: ['points'],
  names: ({ purse }) => [{ at: 'purse', kind: 'purse', name: purse }],
  needs: () => ({ items: true }),
  points: 'redeemed',
  onCancel: 'returned',
  words: { en: ({ points }) => \`donate \${pointsText(points)}\` },
  effects: ({ type, purse, points }, { readFact, n }) => [{ type, purse, points: amountOf(points, readFact), n }],
  apply: (target, effect, rule) =>
    target.redeemPoints(effect, rule) ??
    target.addMetric({ type: effect.type, metric: 'donated', value: effect.points }, rule),
});
`,
  );
  copy.addImport('src/engine/rules/actions/list.ts', `import { donatePoints } from './donatePoints';`);
  copy.addLine('src/engine/rules/actions/list.ts', 'export const actionDefinitions = {', '  donatePoints,');
}

beforeAll(async () => {
  copy = changedCopy();
  world = await openWorld({ rules: [earnRule], config: { ORG: 'test' } });
  member = await world.addMember();
  for (const date of days) await buy(world.server.as('client'), date);
  await rollUp(world.services, { org: world.services.org._id, now: world.services.clock.now() });
  addEndpoint();
  addResource();
  addPeriod();
  addAction();
  api = await startApi({ ...world.services.config, rulesDir: world.rulesDir }, { folder: copy.folder });
  as = (role) => client(api.url, world.services.users[role].token);
});
afterAll(async () => {
  await api?.stop();
  copy.remove();
  await world.close();
});

test('the changed sources have the types that they need', () => {
  const check = () =>
    execFileSync(path.join(copy.folder, 'node_modules/.bin/oxlint'), ['src'], { cwd: copy.folder, encoding: 'utf8' });
  expect(check()).toContain('0 errors');
});

test('an endpoint answers, asks for its permission and is documented', async () => {
  expect(await as('reader').get('/membertotal')).toMatchObject({ status: 200, body: { total: 1 } });
  expect((await client(api.url).get('/membertotal')).status).toBe(401);
  const { paths } = await documentOf();
  expect(paths['/api/v1/membertotal'].get.summary).toBe('Count the members');
});

describe('a resource', () => {
  test('is created, changed, read and deleted by those who manage, and by no others', async () => {
    const made = await as('program-manager').post('/vouchers', { code: 'A' });
    expect(made).toMatchObject({ status: 201, body: { code: 'A' } });
    const path = `/vouchers/${made.body._id}`;
    expect((await as('reader').get(path)).status).toBe(200);
    expect((await as('client').get(path)).status).toBe(403);
    expect((await as('reader').put(path, { code: 'B' })).status).toBe(403);
    expect(await as('admin').put(path, { code: 'B' })).toMatchObject({ status: 200, body: { code: 'B' } });
    expect((await as('admin').post('/vouchers', { code: 'B' })).body).toMatchObject({ code: 1200 });
    expect((await as('admin').get('/vouchers?code=~b&select=code')).body).toMatchObject([{ code: 'B' }]);
    expect((await as('admin').delete(path)).status).toBe(204);
  });

  test('is documented, and named by what takes names of resources', async () => {
    const { paths } = await documentOf();
    expect(Object.keys(paths['/api/v1/vouchers'])).toEqual(expect.arrayContaining(['get', 'post']));
    expect((await as('admin').post('/refreshcache?entity=Voucher')).status).toBe(200);
  });
});

describe('a period of aggregates', () => {
  const sums = async () => {
    const query = JSON.stringify({ memberId: member._id, metricName: 'pointsEarned' });
    const { body } = await as('reader').get(`/seasonaggregates?query=${encodeURIComponent(query)}&sort=year,season`);
    return body.map(({ year, season, metricAggValue }: Record<string, number>) => [year, season, metricAggValue]);
  };

  test('is filled for the past by the roll-up, once, and follows what comes after', async () => {
    await buy(as('client'), '2026-04-30T12:00:00.000Z');
    for (let n = 0; n < 2; n += 1) expect((await as('admin').post('/jobs/aggregates/run')).status).toBe(200);
    expect(await sums()).toEqual([
      [2025, 3, 20],
      [2026, 1, 30],
    ]);
    await buy(as('client'), '2026-05-31T12:00:00.000Z');
    await as('admin').post('/jobs/aggregates/run');
    expect((await sums()).at(-1)).toEqual([2026, 2, 10]);
  });

  test('is one that rules know', async () => {
    const of = { fact: 'aggregate', params: { metric: 'pointsEarned', period: 'season' } };
    const actions = [{ type: 'addPoints', purse: 'Points', points: { of, times: 1 } }];
    writeFileSync(path.join(world.rulesDir, 'main', 'rules.json'), JSON.stringify([{ ...earnRule, actions }]));
    expect((await as('admin').post('/refreshcache?entity=Rule')).status).toBe(200);
    const { body } = await buy(as('client'), '2025-12-01T12:00:00.000Z');
    expect(body.result).toMatchObject({ errors: [], log: [{ action: 'addPoints', results: { balance: 80 } }] });
  });
});

describe('a rule action', () => {
  const donate = {
    ...earnRule,
    key: 'donate',
    activityTypes: ['Redemption'],
    actions: [
      { type: 'donatePoints', purse: 'Points', points: { of: { fact: 'activity', path: '$.value' }, times: 1 } },
    ],
    limits: [{ what: 'points', per: 'member', period: 'lifetime', max: 25 }],
    tests: [
      {
        name: 'donates',
        member: { purse: { Points: 9 } },
        activity: { type: 'Redemption', value: 4 },
        expect: { points: { Points: -4 } },
      },
      { name: 'needs points', activity: { type: 'Redemption', value: 4 }, expect: { error: 2100 } },
    ],
  };
  const publish = async (rule: object) => {
    writeFileSync(path.join(world.rulesDir, 'main', 'rules.json'), JSON.stringify([earnRule, rule]));
    return as('admin').post('/refreshcache?entity=Rule');
  };
  const purse = async () => (await as('reader').get(`/members/${member._id}/purses`)).body[0].availBalance;
  const give = (value: number) => as('client').post('/activity', { type: 'Redemption', memberID: member._id, value });
  const donated = async () => {
    const query = JSON.stringify({ memberId: member._id, metricName: 'donated' });
    return (await as('reader').get(`/lifetimeaggregates?query=${encodeURIComponent(query)}`)).body[0]?.metricAggValue;
  };

  test('is checked: its params, and what it names', async () => {
    const [action] = donate.actions;
    const wrong = [
      { ...action, purse: 'Pionts' },
      { ...action, points: { of: { fact: 'wether' }, times: 1 } },
      { ...action, extra: 1 },
    ];
    for (const each of wrong)
      expect(JSON.stringify((await publish({ ...donate, actions: [each] })).body)).toMatch(/Pionts|wether|extra/);
  });

  test('is tried by the tests of its rule, takes effect, is limited, and given back', async () => {
    expect((await publish(donate)).body).toEqual({ status: 'success' });
    const before = await purse();
    const posted = await give(20);
    expect(posted.body.result).toMatchObject({ errors: [] });
    expect(await purse()).toBe(before - 20);
    expect((await give(20)).status).toBe(200);
    expect([await purse(), await donated()]).toEqual([before - 25, 25]);
    const { activityId } = posted.body.result.data;
    expect((await as('client').post(`/activity/${activityId}/cancel`)).body.result.errors).toEqual([]);
    expect([await purse(), await donated()]).toEqual([before - 5, 5]);
  });

  test('is told in words', () => {
    const node = ['--require', './test/support/registerTypeScript.cjs', 'src/commands/rules.ts', 'explain', 'donate'];
    const env = { PATH: process.env.PATH, ...environment({ ...world.services.config, rulesDir: world.rulesDir }) };
    const told = execFileSync(process.execPath, node, { cwd: copy.folder, env, encoding: 'utf8' });
    expect(told).toContain("- donate points, 1 × the activity's value,");
  });

  test('keeps what it names', async () => {
    const [policy] = (await as('reader').get('/pursepolicies?name=Points')).body;
    expect((await as('admin').delete(`/pursepolicies/${policy._id}`)).status).toBe(422);
  });
});
