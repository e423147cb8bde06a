import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rollUp } from '#members/aggregates/rollUp/rollUp';
import type { Member } from '#records/members/member';
import { type Client, client } from '../support/client';
import { environment, type ServiceProcess, startApi } from '../support/processes';
import { earnRule, openWorld, type World } from '../support/world';
import { type ChangedCopy, changedCopy } from './changedCopy';
import { addAction, addEndpoint, addExpiryKind, addField, addPeriod, addResource } from './documentedChanges';

/** Makes each change exactly as docs/ARCHITECTURE.md describes, in a copy of the sources, and runs that copy. */
let world: World;
let member: Member;
let copy: ChangedCopy;
let api: ServiceProcess & { url: string };
let as: (role: 'admin' | 'program-manager' | 'client' | 'reader') => Client;

// biome-ignore lint/suspicious/noExplicitAny: a document that the test looks into
const documentOf = async (): Promise<any> => (await fetch(`${api.url}/openapi.json`)).json();

/** Its days begin at 05:00 UTC in winter. */
const program = { timezone: 'America/New_York' };

/** Days before and after the end of a season of four months. */
const days = ['2025-09-01', '2025-12-31', '2026-01-01', '2026-04-30'].map((day) => `${day}T12:00:00.000Z`);
const buy = (of: Client, date: string) =>
  of.post('/activity', { type: 'Accrual', memberID: member._id, value: 10, date });

beforeAll(async () => {
  copy = changedCopy();
  world = await openWorld({ rules: [earnRule], program, config: { ORG: 'test' } });
  member = await world.addMember();
  for (const date of days) await buy(world.server.as('client'), date);
  await rollUp(world.services, { org: world.services.org._id, now: world.services.clock.now() });
  addEndpoint(copy);
  addResource(copy);
  addPeriod(copy);
  addAction(copy);
  addExpiryKind(copy);
  addField(copy);
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

  test('is filled for the past once by the roll-up, and follows later activities', async () => {
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

  test('is known to rules', async () => {
    const of = { fact: 'aggregate', params: { metric: 'pointsEarned', period: 'season' } };
    const actions = [{ type: 'addPoints', purse: 'Points', points: { of, times: 1 } }];
    writeFileSync(path.join(world.rulesDir, 'main', 'rules.json'), JSON.stringify([{ ...earnRule, actions }]));
    expect((await as('admin').post('/refreshcache?entity=Rule')).status).toBe(200);
    const { body } = await buy(as('client'), '2025-12-01T12:00:00.000Z');
    expect(body.result).toMatchObject({ errors: [], log: [{ action: 'addPoints', results: { balance: 80 } }] });
  });
});

const publish = async (...rules: object[]) => {
  writeFileSync(path.join(world.rulesDir, 'main', 'rules.json'), JSON.stringify([earnRule, ...rules]));
  return as('admin').post('/refreshcache?entity=Rule');
};

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

  test('is tried by the tests of its rule, takes effect, is limited, and is given back', async () => {
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

  test('has a sentence in words', () => {
    const node = ['--require', './test/support/registerTypeScript.cjs', 'src/commands/rules.ts', 'explain', 'donate'];
    const env = { PATH: process.env.PATH, ...environment({ ...world.services.config, rulesDir: world.rulesDir }) };
    const actual = execFileSync(process.execPath, node, { cwd: copy.folder, env, encoding: 'utf8' });
    expect(actual).toContain("- donate points, 1 × the activity's value,");
  });

  test('keeps the records that it names', async () => {
    const [policy] = (await as('reader').get('/pursepolicies?name=Points')).body;
    expect((await as('admin').delete(`/pursepolicies/${policy._id}`)).status).toBe(422);
  });
});

describe('a kind of expiry', () => {
  const addPoints = { type: 'addPoints', purse: 'Weekly', points: 5 };
  const weekly = { ...earnRule, key: 'weekly', actions: [addPoints] };
  const hurried = {
    ...earnRule,
    key: 'hurried',
    actions: [{ ...addPoints, expiry: { type: 'saturdays', saturdays: 1 } }],
  };
  const addPolicy = (name: string, expiry: object) =>
    as('program-manager').post('/pursepolicies', { name, program: world.program._id, expiry });
  const sentenceIn = async (language: string) => {
    const { body } = await as('program-manager').get(`/rules/overview?lang=${language}`);
    return body.rules.find(({ key }: { key: string }) => key === 'hurried').sentence;
  };

  test('is checked in policies and in rules, and documented', async () => {
    const { status, body } = await addPolicy('Weekly', { type: 'saturdays' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'expiry.saturdays', kind: 'required' }] },
    });
    const [action] = hurried.actions;
    const refused = await publish({
      ...hurried,
      actions: [{ ...action, purse: 'Points', expiry: { type: 'saturdays' } }],
    });
    expect(JSON.stringify(refused.body)).toContain('saturdays needs saturdays');
    const { components } = await documentOf();
    const { type, saturdays } = components.schemas.PursePolicy.properties.expiry.properties;
    expect(type).toMatchObject({ enum: expect.arrayContaining(['saturdays', 'rolling']) });
    expect(type.description).toContain('saturdays: when so many Saturdays have ended');
    expect(saturdays.description).toBe('Of saturdays: how many');
  });

  test('says when points of its policies and rules expire, and they do', async () => {
    expect((await addPolicy('Weekly', { type: 'saturdays', saturdays: 2 })).status).toBe(201);
    expect((await publish(weekly, hurried)).body).toEqual({ status: 'success' });
    // A Wednesday.
    expect((await buy(as('client'), '2026-01-07T12:00:00.000Z')).body.result.errors).toEqual([]);
    const query = JSON.stringify({ member: member._id, purseName: 'Weekly' });
    const { body } = await as('reader').get(`/accrualitems?query=${encodeURIComponent(query)}&sort=dtExpiresOn`);
    expect(body).toMatchObject([
      { dtExpiresOn: '2026-01-11T05:00:00.000Z', expiredPoints: 5 },
      { dtExpiresOn: '2026-01-18T05:00:00.000Z', expiredPoints: 5 },
    ]);
  });

  test('has a sentence in words, in English where it has no other', async () => {
    expect(await sentenceIn('en')).toContain('add 5 points to the purse "Weekly" (expiry after Saturday number 1)');
    expect(await sentenceIn('de')).toContain('5 Punkte in die Börse "Weekly" geben (expiry after Saturday number 1)');
  });
});

describe('a field of a resource', () => {
  const write = (slogan: string) =>
    as('program-manager').post('/pursepolicies', { name: 'Said', program: world.program._id, slogan });

  test('is checked, stored, shown and found', async () => {
    expect(await write('x'.repeat(41))).toBeRefused(422, 1200);
    expect(await write('Collect now')).toMatchObject({ status: 201, body: { slogan: 'Collect now' } });
    expect((await as('reader').get('/pursepolicies?slogan=~collect&select=name')).body).toMatchObject([
      { name: 'Said' },
    ]);
  });

  test('has its label and help in the document, from which the forms of the console take them', async () => {
    const { components } = await documentOf();
    expect(components.schemas.PursePolicy.properties.slogan).toMatchObject({
      description: 'What the shop says of it',
      'x-form': { label: { en: 'Slogan', de: 'Werbespruch' } },
    });
  });
});
