import { ObjectId } from 'bson';
import { pathTemplates } from '#platform/http/openApi/openApi';
import type { Route } from '#platform/http/route';
import { collectPermissions, type Role } from '#records/users/permissions';
import { resources } from '#server/services/resources';
import { type Client, client, type Response } from '../../support/client';
import { handlerOf, type RouteCase, routeCases, stepsOf } from '../../support/routeKinds';
import { insertSamples } from '../../support/samples';
import { drawn, ofEachKind } from '../../support/scale';
import { openTestServer } from '../../support/server';
import { makeTestOrg } from '../../support/services';

let server: Awaited<ReturnType<typeof openTestServer>>;
let document: Response['body'];
/** The ledger-admin of another org. */
let stranger: Client;
/** A record of our org in every collection. Answers to another org must not reveal that it exists. */
const id = new ObjectId();
beforeAll(async () => {
  server = await openTestServer();
  const { services } = server;
  document = (await server.anonymous.send('GET', '/openapi.json')).body;
  const other = await makeTestOrg(services, 'other');
  stranger = client(server.url, other.users['ledger-admin'].token);
  await insertSamples(services, id);
});
afterAll(() => server.close());

const cases = routeCases(({ permission }) => permission !== 'open');

/** The path of a record; a version is a number, and few orgs have so many. */
const at = (path: string, value: ObjectId) => path.replace(':version', '999').replace(/:\w+/g, value.toHexString());

async function ask(who: Client, { method, body }: Route, path: string, value = new ObjectId()) {
  return who.send(method, at(path, value), body ? { body: {} } : {});
}

const definitions =
  'programs|pursepolicies|tierpolicies|locations|products|offers|rewards|partners|namedlists|enums|segments|extschemas|extdefs';
const ledger = 'activityhistories|refusedactivities|accrualitems|journal|issuedrewards|tierhistories|\\w+aggregates';

/** What enrolment and a catalogue show: `client` reads it. */
const shown = 'programs|pursepolicies|tierpolicies|rewards|offers|locations|products';

/**
 * The permissions of roles by docs/design/users.md, written without the service's own table. The first row that matches
 * `<method> <path>` counts. A route without a matching row fails.
 */
const permitted: [RegExp, string][] = [
  [/^GET \/myaccount/, 'reader client program-manager admin ledger-admin'],
  [/^POST \/myaccount\/renew$/, 'reader client program-manager admin ledger-admin'],
  [/^POST \/users\/me\/password$/, 'reader client program-manager admin ledger-admin'],
  [/^\w+ \/(users|apikeys)/, 'admin ledger-admin'],
  [/^GET \/members\/:id\/export$/, 'admin ledger-admin'],
  [/^GET \/auditlog/, 'admin ledger-admin'],
  [new RegExp(`^GET /(${shown})\\b`), 'reader client program-manager admin ledger-admin'],
  [
    new RegExp(
      `^GET /(${definitions}|rules|rulesets|jobs|simulations|importmappings|webhooks|webhookdeliveries|webhookreplays)\\b`,
    ),
    'reader program-manager admin ledger-admin',
  ],
  [new RegExp(`^\\w+ /(${definitions})\\b`), 'program-manager admin ledger-admin'],
  [
    new RegExp(`^GET /(${ledger}|members|accounts|activity/status|events)\\b`),
    'reader client program-manager admin ledger-admin',
  ],
  [/^\w+ \/accrualitems/, 'ledger-admin'],
  [/^(POST \/members\/:id\/merge|DELETE \/members\/:id)$/, 'admin ledger-admin'],
  [/^(POST|PUT|PATCH) \/members/, 'client admin ledger-admin'],
  [/^\w+ \/accounts/, 'client admin ledger-admin'],
  [/^POST \/(activity|activities)\b/, 'client admin ledger-admin'],
  [/^\w+ \/(simulations|webhooks|importmappings)\b/, 'program-manager admin ledger-admin'],
  [
    /^POST \/(refreshcache|rules\/|rulesets\/(schedule|restore|:version\/(rollback|withdraw)))/,
    'program-manager admin ledger-admin',
  ],
  [/^GET \/(forecasts|reports)\//, 'reader program-manager admin ledger-admin'],
  [/^POST \/imports/, 'program-manager admin ledger-admin'],
  [/^GET \/imports/, 'reader program-manager admin ledger-admin'],
  [/^GET \/exports$/, 'reader client program-manager admin ledger-admin'],
  [/^POST \/jobs\/:name\/run$/, 'admin ledger-admin'],
  [/^\w+ \/sandbox\b/, 'admin ledger-admin'],
];

const roles: Role[] = ['reader', 'client', 'program-manager', 'admin', 'ledger-admin'];

function mayDo({ method, path }: Route): string[] {
  const row = permitted.find(([pattern]) => pattern.test(`${method} ${path}`));
  if (!row) throw new Error(`${method} ${path}: say above who may, by docs/design/users.md`);
  return row[1].split(' ');
}

test('a role has the permissions of exactly its own routes', () => {
  const permissions = roles.map((role) => [role, collectPermissions([role], resources)] as const);
  for (const [name, route] of cases) {
    const may = permissions.flatMap(([role, own]) =>
      route.permission === 'any' || own.has(route.permission) ? [role] : [],
    );
    expect([name, may.sort()]).toEqual([name, mayDo(route).sort()]);
  }
});

test.each(ofEachKind(cases, stepsOf))('%s needs a token', async (_name, route, path) => {
  expect(await ask(server.anonymous, route, path)).toBeRefused(401, 1120);
});

// Logging out would end the sessions that the other cases use.
const harmless = cases.filter(([, { path }]) => path !== '/myaccount/logout');

test.each(ofEachKind(harmless, handlerOf))('%s is for users with its permission only', async (_name, route, path) => {
  const may = mayDo(route);
  const mayNot = roles.filter((role) => !may.includes(role));
  for (const role of [...drawn(mayNot), ...drawn(roles.filter((each) => may.includes(each)))]) {
    const { status, body } = await ask(server.as(role), route, path);
    const code = status === 403 ? body.code : undefined;
    const isAnswered = status !== 401 && status < 500;
    expect({ role, code, isAnswered }).toEqual({ role, code: may.includes(role) ? undefined : 1130, isAnswered: true });
  }
});

test('everybody with a token may log out', () => {
  const [, route] = cases.find(([, { path }]) => path === '/myaccount/logout') as RouteCase;
  expect(route.permission).toBe('any');
});

const withId = cases.filter(([, { path }]) => path.includes(':'));

test.each(ofEachKind(withId, handlerOf))(
  '%s answers 404 for a record of another org as for an unknown one, and changes nothing',
  async (_name, route, path) => {
    const body = bodyFor(route);
    const before = await ours();
    const theirs = await stranger.send(route.method, at(path, id), body);
    const none = await stranger.send(route.method, at(path, new ObjectId()), body);
    expect(theirs).toBeRefused(404, 1500);
    expect(none).toBeRefused(404, 1500, { message: theirs.body.message });
    expect(await ours()).toEqual(before);

    async function ours() {
      return server.services.db.collection(resourceOf(path)).findOne({ _id: id });
    }
  },
);

function resourceOf(path: string): string {
  return path.replace('/api/v1', '').split('/')[1] ?? '';
}

/** The example body in the OpenAPI document for this route, so that only the id is wrong. */
function bodyFor(route: Route): { body?: unknown } {
  if (!route.body) return {};
  const { requestBody } = document.paths[pathTemplates(route)[0] ?? ''][route.method.toLowerCase()];
  return { body: requestBody.content['application/json'].example };
}

const lists = cases.filter(
  ([, { path, method, openQuery }]) => method === 'GET' && openQuery && !/:|\/count$/.test(path),
);

test.each(ofEachKind(lists, handlerOf))('%s lists nothing of another org', async (_name, _route, path) => {
  const query = encodeURIComponent(JSON.stringify({ _id: id.toHexString() }));
  const { status, body } = await stranger.send('GET', `${path}?query=${query}`);
  expect([status, body]).toEqual([200, []]);
  const counted = await stranger.send('GET', `${path}/count?query=${query}`);
  expect([counted.status, counted.body]).toEqual([200, { count: 0 }]);
  const own = await server.as('ledger-admin').send('GET', `${path}?query=${query}`);
  expect(own.body).toHaveLength(1);
});
