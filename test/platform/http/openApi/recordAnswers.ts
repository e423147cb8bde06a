import { runNextImport } from '#exchange/imports/run/runNextImport';
import { numberEvents } from '#platform/events/numberEvents';
import { runNextSimulation } from '#publishing/simulations/runNextSimulation';
import { activityApi } from '../../../activities/activityApi';
import { cloneWorld } from '../../../operations/sandbox/sandboxWorld';
import { client, type Response } from '../../../support/client';
import { earnRule, redeemRule } from '../../../support/world';
import { type ExampleWorld, openExampleWorld } from './exampleWorld';
import { recordRuleEditor } from './recordRuleEditor';
import { recordWebhooks } from './recordWebhooks';
import { settled } from './settled';
import { taken } from './taken';

/** Recorded answers: records by the name of their resource, other answers by method, path and status. */
export interface RecordedAnswers {
  records: Record<string, unknown>;
  answers: Record<string, unknown>;
}

/** Asks a service with an example world, and returns its answers. They are the same every time. */
export async function recordAnswers(): Promise<RecordedAnswers> {
  const opened = await openExampleWorld();
  const records = await recordsOf(opened);
  const answers = {
    ...(await readsOf(opened)),
    ...(await activitiesOf(opened)),
    ...(await rulesOf(opened)),
    ...(await ownOf(opened)),
    ...(await bulkOf(opened)),
    ...(await eventsOf(opened)),
    ...(await sandboxAnswers(opened)),
  };
  const webhooks = await recordWebhooks(opened);
  const editor = await recordRuleEditor(opened);
  await opened.world.close();
  return settled({
    records: { ...records, ...webhooks.records },
    answers: { ...answers, ...webhooks.answers, ...editor },
  });
}

/** Where the records that are not defined by hand are read. */
const lists: Record<string, (ids: Record<string, string>) => string> = {
  JournalEntry: ({ Member }) => `/journal?member=${Member}&sort=seq`,
  AccrualItem: ({ Member }) => `/accrualitems?member=${Member}&accruedPoints=1280`,
  IssuedReward: ({ Member }) => `/issuedrewards?member=${Member}`,
  TierHistory: ({ Member }) => `/tierhistories?member=${Member}`,
  RefusedActivity: () => '/refusedactivities?externalTxnId=till-7-0999',
  JobRun: () => '/jobs?name=aggregates',
  Rule: () => '/rules?key=earn',
  RuleSet: () => '/rulesets?version=2',
  AuditEntry: () => '/auditlog?resource=segments&action=create',
  ...Object.fromEntries(
    ['Daily', 'Weekly', 'Monthly', 'Quarterly', 'HalfYear', 'Year', 'Lifetime'].map((name) => [
      `${name}Aggregate`,
      () => `/${name.toLowerCase()}aggregates?query=${json({ metricName: 'spend' })}`,
    ]),
  ),
};

const defined: Record<string, string> = {
  Program: 'programs',
  PursePolicy: 'pursepolicies',
  TierPolicy: 'tierpolicies',
  Location: 'locations',
  Product: 'products',
  Partner: 'partners',
  Offer: 'offers',
  Reward: 'rewards',
  Segment: 'segments',

  ImportMapping: 'importmappings',
  NamedList: 'namedlists',
  Enum: 'enums',
  ExtSchema: 'extschemas',
  ExtDef: 'extdefs',
  User: 'users',
  ApiKey: 'apikeys',
  Member: 'members',
  Account: 'accounts',
  ActivityHistory: 'activityhistories',
};

async function recordsOf({ admin, ids }: ExampleWorld): Promise<Record<string, unknown>> {
  const records: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(defined)) records[name] = taken(await admin.get(`/${path}/${ids[name]}`));
  for (const [name, pathOf] of Object.entries(lists)) {
    const [first] = taken(await admin.get(pathOf(ids)));
    if (!first) throw new Error(`there is no ${name} at ${pathOf(ids)}`);
    records[name] = first;
  }
  return records;
}

async function readsOf({ admin, ids }: ExampleWorld): Promise<Record<string, unknown>> {
  const { Member, Account, Program, PursePolicy, TierPolicy, ActivityHistory } = ids;
  return {
    'GET /members/:id/purses 200': taken(await admin.get(`/members/${Member}/purses`)),
    'GET /members/:id/statement 200': taken(await admin.get(`/members/${Member}/statement?limit=2`)),
    'GET /members/:id/forecast 200': taken(await admin.get(`/members/${Member}/forecast`)),
    'GET /members/:id/export 200': shortened(taken(await admin.get(`/members/${Member}/export`))),
    'GET /forecasts/liability 200': taken(await admin.get(`/forecasts/liability?program=${Program}`)),
    'GET /reports/program 200': taken(
      await admin.get(`/reports/program?program=${Program}&from=2024-01-01T00:00:00.000Z&by=month`),
    ),
    'GET /reports/members 200': taken(await admin.get(`/reports/members?program=${Program}`)),
    'GET /jobs/state 200': idle(taken(await admin.get('/jobs/state'))),
    'GET /accounts/totalpoints/:accountid/:purseid 200': taken(
      await admin.get(`/accounts/totalpoints/${Account}/${PursePolicy}`),
    ),
    'GET /accounts/maxtier/:accountid/:tierid 200': taken(
      await admin.get(`/accounts/maxtier/${Account}/${TierPolicy}`),
    ),
    'GET /activityhistories/:id/explain 200': taken(await admin.get(`/activityhistories/${ActivityHistory}/explain`)),
    'GET /health/live 200': taken(await admin.send('GET', '/health/live')),
    'GET /health/ready 200': taken(await admin.send('GET', '/health/ready')),
    'POST /jobs/:name/run 200': taken(await admin.post('/jobs/escrow/run')),
    'POST /refreshcache 200': taken(await admin.post('/refreshcache?entity=Product')),
  };
}

async function activitiesOf(opened: ExampleWorld): Promise<Record<string, unknown>> {
  const { admin, ids, world } = opened;
  const memberID = ids.Member;
  const purchase = { type: 'Accrual', memberID, value: 640, srcChannelID: '17' };
  const posted = taken(await admin.post('/activity?explain=true', purchase));
  const later = { ...purchase, externalTxnId: 'till-7-1002' };
  const accepted = taken(await admin.post('/activity?async=true', later));
  const bulk = [
    { ...purchase, externalTxnId: 'till-7-1003' },
    { type: 'Accrual', value: 1 },
  ];
  const manyAccepted = taken(await admin.post('/activities/bulk?async=true', bulk));
  await activityApi(world).drain();
  const status = taken(await admin.get('/activity/status/till-7-1002'));
  const { activityId } = posted.result.data;
  const selected = json({ externalTxnId: 'till-7-1003' });
  const key = { externalTxnId: 'till-7-1006' };
  const body = { value: 140, externalTxnId: 'till-7-1004' };
  return {
    'POST /activity 200': posted,
    'POST /activity 202': accepted,
    'POST /activities/bulk 202': manyAccepted,
    'GET /activity/status/:externalTxnId 200': status,
    'POST /activity/:id/cancel 200': taken(await admin.post(`/activity/${activityId}/cancel`, body)),
    'POST /activity/:id/cancel 202': taken(
      await admin.post(`/activity/${activityId}/cancel?async=true`, { externalTxnId: 'till-7-1005' }),
    ),
    'POST /activity/query/cancel 200': taken(await admin.post(`/activity/query/cancel?query=${selected}`)),
    'POST /activity/query/cancel 202': taken(
      await admin.post(`/activity/query/cancel?async=true&query=${selected}`, key),
    ),
    'POST /accounts/unlink 200': taken(
      await admin.post(`/accounts/unlink?query=${json({ 'members.member': memberID })}`),
    ),
  };
}

async function rulesOf({ admin, world }: ExampleWorld): Promise<Record<string, unknown>> {
  const double = { ...earnRule, actions: [{ ...earnRule.actions[0], points: 2 }] };
  const started = taken(await admin.post('/rules/simulate', { rules: [double], program: world.program._id }));
  await runNextSimulation(world.services);
  const simulation = taken(await admin.get(`/simulations/${started._id}`));
  const text = JSON.stringify([{ ...redeemRule, priority: 'high' }]);
  const scheduled = taken(await admin.post('/rulesets/schedule', { from: '2027-01-01T00:00:00.000Z', version: 1 }));
  return {
    'POST /rulesets/schedule 200': scheduled,
    'POST /rulesets/:version/withdraw 200': taken(await admin.post(`/rulesets/${scheduled.version}/withdraw`, {})),
    'POST /rules/simulate 202': started,
    'GET /simulations/:id 200': simulation,
    'GET /simulations 200': [simulation],
    'GET /simulations/:id/result 200': taken(await admin.get(`/simulations/${started._id}/result`)),
    'GET /rulesets/current 200': taken(await admin.get('/rulesets/current')),
    'GET /rules/schema 200': beginningOf(taken(await admin.get('/rules/schema'))),
    'GET /rulesets/:version/diff 200': taken(await admin.get('/rulesets/1/diff?to=2')),
    // The same rules are in force, so that the other examples stay as they are.
    'POST /rulesets/:version/rollback 200': taken(await admin.post('/rulesets/2/rollback', {})),
    'POST /rules/check 200': taken(await admin.post('/rules/check', { files: [{ path: 'main/rules.json', text }] })),
  };
}

/** The export of a member with some of its collections, a record each: those whose records come in the same order. */
function shortened({ records, ...about }: ReturnType<typeof taken>) {
  const shown = ['accrualitems', 'activityhistories', 'journal'].map((name) => [name, records[name].slice(0, 1)]);
  return { ...about, records: Object.fromEntries(shown) };
}

async function importsOf({ admin, world }: ExampleWorld): Promise<Record<string, unknown>> {
  const raw = 'sku,name,category\nTEA-9,White tea,drinks\nTEA-8,,drinks\n';
  const begin = () => admin.post('/imports?kind=products', undefined, { raw, headers: { 'content-type': 'text/csv' } });
  const started = taken(await begin());
  await runNextImport(world.services);
  const done = taken(await admin.get(`/imports/${started._id}`));
  const stopped = taken(await begin());
  return {
    'POST /imports 202': started,
    'GET /imports/:id 200': done,
    'GET /imports 200': [done],
    'POST /imports/:id/stop 200': taken(await admin.post(`/imports/${stopped._id}/stop`)),
  };
}

async function bulkOf(opened: ExampleWorld): Promise<Record<string, unknown>> {
  const { admin, ids } = opened;
  const members = [{ program: ids.Program, loyaltyID: 'TEA-2001', firstName: 'Mei' }, { firstName: 'Kim' }];
  const items = [{ member: ids.Member, purse: ids.PursePolicy, accruedPoints: 500, externalId: 'old-7' }, {}];
  return {
    'POST /members/bulk 200': taken(await admin.post('/members/bulk', members)),
    'POST /accrualitems/bulk 200': taken(await admin.post('/accrualitems/bulk', items)),
    ...(await importsOf(opened)),
  };
}

/** The answers that a user gets about itself. */
async function ownOf({ world, admin }: ExampleWorld): Promise<Record<string, unknown>> {
  const till = { username: 'till-7', password: 'a till in Oslo' };
  const login = taken(await admin.post('/login', till));
  const own = client(world.server.url, login.token);
  const made = taken(await admin.post('/apikeys', { name: 'Web shop', roles: ['client'] }));
  const change = { currentPassword: till.password, newPassword: 'another till in Oslo' };
  return {
    'POST /login 200': login,
    // What the sign-in at an OpenID provider ends with is the same.
    'POST /login/oidc/token 200': login,
    'GET /myaccount 200': taken(await own.get('/myaccount')),
    'POST /users/me/password 200': taken(await own.post('/users/me/password', change)),
    'POST /apikeys 201': made,
    'POST /apikeys/:id/rotate 200': taken(await admin.post(`/apikeys/${made._id}/rotate`, { overlapSeconds: 86_400 })),
    'POST /myaccount/renew 200': taken(await own.post('/myaccount/renew')),
    'GET /myaccount/logout 200': taken(await own.get('/myaccount/logout')),
  };
}

async function eventsOf({ world, admin, ids }: ExampleWorld): Promise<Record<string, unknown>> {
  await numberEvents(world.services, world.services.clock.now());
  const args = `member=${ids.Member}&types=activity.processed,points.earned&limit=2`;
  return { 'GET /events 200': taken(await admin.get(`/events?${args}`)) };
}

/** The state of the service with two of its timers. How many hints wait depends on the moment. */
function idle({ timers, queues, ...state }: Response['body']): Response['body'] {
  const none = { waiting: 0, active: 0, delayed: 0, failed: 0 };
  return {
    ...state,
    timers: timers.slice(0, 2),
    queues: queues.map(({ name }: { name: string }) => ({ name, ...none })),
  };
}

/** A JSON Schema without its definitions, which are too long for an example. */
function beginningOf({ $schema, title }: Response['body']): Response['body'] {
  return { $schema, title };
}

function json(value: unknown): string {
  return encodeURIComponent(JSON.stringify(value));
}

/** The routes of a sandbox, asked in one that is made for them. */
async function sandboxAnswers({ world }: ExampleWorld): Promise<Record<string, unknown>> {
  const { as } = await cloneWorld(world, 'shop-sandbox');
  const admin = as('admin');
  const read = taken(await admin.get('/sandbox'));
  const moved = taken(await admin.put('/sandbox/clock', { advance: { value: 1, unit: 'day' } }));
  return {
    'GET /sandbox 200': read,
    'PUT /sandbox/clock 200': moved,
    'PUT /sandbox/clock 202': { ...moved, movingTo: '2027-06-01T10:00:00.000Z' },
    'POST /sandbox/wipe 200': taken(await admin.post('/sandbox/wipe', {})),
  };
}
