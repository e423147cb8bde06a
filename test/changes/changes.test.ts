import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rollUp } from '../../src/aggregates/rollUp/rollUp';
import type { Member } from '../../src/records/members/member';
import { type Client, client } from '../support/client';
import { type ServiceProcess, startApi } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';
import { type ChangedCopy, changedCopy } from './changedCopy';

/** What docs/ARCHITECTURE.md says that a change touches, made as it says. */
let world: World;
let member: Member;
let copy: ChangedCopy;
let api: ServiceProcess & { url: string };
let as: (role: 'admin' | 'program-manager' | 'client' | 'reader') => Client;

// biome-ignore lint/suspicious/noExplicitAny: a document that the test looks into
const documentOf = async (): Promise<any> => (await fetch(`${api.url}/openapi.json`)).json();

/** Before and after a season of four months ends. */
const days = ['2025-09-01', '2025-12-31', '2026-01-01', '2026-04-30'].map((day) => `${day}T12:00:00.000Z`);
const buy = (of: Client, date: string) =>
  of.post('/activity', { type: 'Accrual', memberID: member._id, value: 10, date });

/** An endpoint: one object, and the file of its use case. */
function addEndpoint(): void {
  copy.add(
    'src/members/countMembers.ts',
    `import type { ObjectId } from 'bson';
import type { Backing } from '../backing/backing';
import { collectionOf } from '../db/collections';
import { memberResource } from '../records/members/member';

export async function countMembers({ db }: Pick<Backing, 'db'>, org: ObjectId): Promise<number> {
  return collectionOf(db, memberResource).countDocuments({ org });
}
`,
  );
  copy.addImport('src/members/routes.ts', `import { countMembers } from './countMembers';`);
  copy.addLine(
    'src/members/routes.ts',
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

/** A resource: one file, and a line in the list of all. */
function addResource(): void {
  copy.add(
    'src/records/catalog/voucher.ts',
    `import { text } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

export const voucherResource = defineResource({
  name: 'Voucher',
  path: 'vouchers',
  access: 'managed',
  fields: { code: text(50) },
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});
`,
  );
  copy.addImport('src/services/resources.ts', `import { voucherResource } from '../records/catalog/voucher';`);
  copy.addLine('src/services/resources.ts', 'export const resources: readonly Resource[] = [', '  voucherResource,');
}

/** A period of aggregates: one row. */
function addPeriod(): void {
  copy.addLine(
    'src/calendar/periods.ts',
    'const monthPeriods = [',
    `  { name: 'seasonal', unit: 'season', months: 4, model: 'SeasonAggregate', path: 'seasonaggregates', of: 'Season' },`,
  );
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
  api = await startApi({ ...world.services.config, rulesDir: world.rulesDir }, { folder: copy.folder });
  as = (role) => client(api.url, world.services.users[role].token);
}, 60_000);
afterAll(async () => {
  await api?.stop();
  copy.remove();
  await world.close();
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
