import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { runNextImport } from '#exchange/imports/run/runNextImport';
import { verifyAudit } from '#platform/audit/verifyAudit';
import { orgResource } from '#records/users/org';
import { allRoutes } from '#server/routes';
import { resources } from '#server/services/resources';
import { type Client, client, type Response } from '../../support/client';
import { earnRule, openWorld, type World } from '../../support/world';
import { type Audited, type AuditedOrg, auditedOrg, auditedRequests, csv } from './auditedRequests';

/**
 * What the audit log gets of every route that changes something (docs/design/audit.md). All is done in a sandbox whose
 * clock is ahead, because entries have the time of the machine.
 */
let world: World;
let org: AuditedOrg;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  world.services.clock.set('2026-03-10T12:00:00.000Z');
  org = await auditedOrg(world);
});
afterAll(() => world.close());

type Doc = Response['body'];

const lastSeq = async (): Promise<number> => (await org.admin.get('/auditlog?sort=-seq&limit=1')).body[0].seq;
const entriesSince = async (seq: number): Promise<Doc[]> =>
  (await org.admin.get(`/auditlog?seq=>${seq}&sort=seq&limit=1000`)).body;

/** Sends a request of a route. */
function ask(as: Client, route: string, [at, body, options]: Audited['send'], more: Record<string, string> = {}) {
  const [method = ''] = route.split(' ');
  return as.send(method, `/api/v1${at}`, { body, ...options, headers: { ...options?.headers, ...more } });
}

const routes = allRoutes.filter(({ method }) => method !== 'GET');
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** The reads and writes of these collections are in `everyWrite`. */
const collections = resources.filter(({ access = '' }) => ['managed', 'catalog', 'user'].includes(access));
const ofCollections = collections.flatMap(({ path }) => [
  `POST /${path}`,
  ...['PUT', 'PATCH', 'DELETE'].map((method) => `${method} /${path}/:id`),
]);

/** Logins; what members and activities do, of which histories and the journal tell; and what changes no record. */
const unrecorded = [
  /^POST \/(?:login|myaccount\/renew$)/,
  /^(?:POST|PUT|PATCH) \/members(?:\/:id|\/bulk)?$/,
  /^\w+ \/accounts\b/,
  /^POST \/(?:activity|activities)\b/,
  /^(?:POST \/rules\/(?:check|preview|changes|try|simulate)|DELETE \/simulations\/:id)$/,
  /^POST \/webhooks\/:id\/(?:deliveries\/:deliveryId\/retry|test|replay)$/,
  /^POST \/imports\/:id\/stop$/,
];

const recorded = Object.keys(auditedRequests({} as AuditedOrg));

test('every route that changes something is recorded, or the test has a reason why not', () => {
  const known = (name: string) => [recorded, ofCollections].some((each) => each.includes(name));
  const unsaid = routes.map(nameOf).filter((name) => !known(name) && !unrecorded.some((each) => each.test(name)));
  expect(unsaid).toEqual([]);
  expect(recorded.filter((name) => !routes.map(nameOf).includes(name))).toEqual([]);
});

test.each(recorded)('%s has its entries, once, and none when it is refused', async (route) => {
  const { as = org.admin, send, refused, entries } = await (auditedRequests(org)[route] as () => Promise<Audited>)();
  const before = await lastSeq();
  for (const sent of refused) expect((await ask(as, route, sent)).status).toBeGreaterThanOrEqual(400);
  expect((await ask(client(world.server.url), route, send)).status).toBe(401);
  if (as === org.admin) expect((await ask(org.reader, route, send)).status).toBe(403);
  expect(await entriesSince(before)).toEqual([]);

  const isKept = routes.some((each) => nameOf(each) === route && each.key === 'withEffect');
  const key: Record<string, string> = isKept ? { 'idempotency-key': route } : {};
  const { status, headers, body } = await ask(as, route, send, key);
  expect([status < 300, body]).toEqual([true, body]);
  if (isKept) expect((await ask(as, route, send, key)).status).toBe(status);
  const { _id: user, username } = (await as.get('/myaccount')).body;
  const by = { user, username, via: 'api', ip: '127.0.0.1', requestId: headers.get('x-request-id') };
  const at = world.services.clock.now().toISOString();
  const expected = entries(body).map((entry) => expect.objectContaining({ ...by, at, ...entry }));
  expect(await entriesSince(before)).toEqual(expected);
});

test.each([
  ['products', 'sku,name\nR-1,Tea\nR-2,\n', 'create', 1],
  ['products', 'sku,name\nR-1,Coffee\nR-3,Milk\n', '', 2],
  [
    'accrualitems',
    (): string => `externalId,member,purse,accruedPoints\nE-1,MEMBER,${org.purse},5\nE-2,MEMBER,Nothing,5\n`,
    'create',
    1,
  ],
  ['members', (): string => `loyaltyID,program,balance:Points\nI-1,main,70\n`, '', 0],
] as const)(
  'an import of %s has an entry, and so has each row that a request would have',
  async (kind, text, action, rows) => {
    const { _id: member } = (await org.admin.post('/members', { program: org.program })).body;
    const before = await lastSeq();
    const content = (typeof text === 'string' ? text : text()).replaceAll('MEMBER', member);
    const sent = await org.admin.post(`/imports?kind=${kind}`, undefined, csv(content));
    expect(sent.status).toBe(202);
    await runNextImport(world.services);
    const [whole, ...each] = await entriesSince(before);
    const { _id: user, username } = (await org.admin.get('/myaccount')).body;
    const at = world.services.clock.now().toISOString();
    const by = { user, username, via: 'api', ip: '127.0.0.1', at };
    expect(whole).toMatchObject({ ...by, action: 'import', id: sent.body._id });
    const ofRows = { ...by, resource: kind, requestId: `import-${sent.body._id}`, ...(action && { action }) };
    expect(each).toEqual(Array.from({ length: rows }, () => expect.objectContaining(ofRows)));
  },
);

test('a dry run of an import has no entry', async () => {
  const before = await lastSeq();
  const sent = await org.admin.post('/imports?kind=products&dryRun=true', undefined, csv('sku,name\nD-1,Tea\n'));
  expect(sent.status).toBe(202);
  await runNextImport(world.services);
  expect(await entriesSince(before)).toEqual([]);
});

test('the audit chain is whole after all of these tests', async () => {
  const { db } = world.services;
  const { _id } = (await collectionOf(db, orgResource).findOne({ code: 'moved' })) ?? { _id: new ObjectId() };
  const check = await verifyAudit(db, { org: _id });
  expect(check.fault).toBeUndefined();
  expect(check.entries).toBeGreaterThan(recorded.length);
});
