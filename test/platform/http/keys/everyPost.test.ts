import { defineRoute, ok } from '#platform/http/route';
import { createApp } from '#server/app';
import type { Response } from '../../../support/client';
import { handlerOf, routeCases } from '../../../support/routeKinds';
import { ofEachKind } from '../../../support/scale';
import { earnRule, openWorld, type World } from '../../../support/world';
import { type Post, postsOf } from './posts';

/** Every POST honours an Idempotency-Key, or refuses it, or changes nothing. */
let world: World;
let posts: ReturnType<typeof postsOf>;
beforeAll(async () => {
  world = await openWorld({ rules: [earnRule] });
  posts = postsOf(world);
  // The first member of a program changes the program's time zone to a fixed one, besides being stored.
  await world.addMember();
});
afterAll(() => world.close());

const cases = routeCases(({ method }) => method === 'POST');
const paths = [...new Set(cases.map(([, { path }]) => path))];
const refused = [
  '/login',
  '/login/oidc/token',
  '/apikeys',
  '/apikeys/:id/rotate',
  '/webhooks',
  '/webhooks/:id/rotate',
  '/sandbox/wipe',
  '/myaccount/renew',
];
const unchanging = ['/rules/check', '/rules/preview', '/rules/changes', '/rules/try'];
/** Their keys are those of submissions (docs/design/activities.md). */
const submitting = ['/activity', '/activity/:id/cancel'];
const honouring = paths.filter((path) => ![...refused, ...unchanging].includes(path));
/** Posts of each kind, and others by the seed. */
const some = ofEachKind(
  cases.filter(([, { path }]) => honouring.includes(path)),
  handlerOf,
).map(([, { path }]) => path);

/** Sends a request on its own connection, as the admin of the ledger, who may do everything. */
function send({ path, body, file }: Post, key: string): Promise<Response> {
  const sent = file === undefined ? {} : { raw: file };
  const type: Record<string, string> = file === undefined ? {} : { 'content-type': 'text/csv' };
  return world.server.as('ledger-admin').post(path, body, { ...sent, headers: { 'idempotency-key': key, ...type } });
}

const makerOf = (name: string) => {
  const make = posts[name];
  if (!make) throw new Error(`say in posts.ts how to send POST ${name}`);
  return make;
};

/** The hash of every collection but that of the keys. */
async function stored(): Promise<Record<string, string>> {
  const { collections } = (await world.services.db.db?.command({ dbHash: 1 })) ?? {};
  const { keyedrequests: _keys, ...others } = collections;
  return others;
}

/** The number of all records. */
async function records(): Promise<number> {
  return (await world.services.db.db?.command({ dbStats: 1 }))?.objects;
}

const replayed = ({ headers }: Response) => headers.get('idempotent-replayed');

/** What a repetition answers again: the member of an activity is shown as it is now. */
const shown = (name: string, { status, body, headers }: Response) => ({
  status,
  body: submitting.includes(name) ? body.result : body,
  headers: ['content-type', 'etag', 'location'].map((header) => headers.get(header)),
});

test.each(some)('POST %s sent again with its key has no second effect and the first answer', async (name) => {
  const { first: post, other } = await makerOf(name)();
  const before = await stored();
  for (const bad of ['', 'x'.repeat(256)]) expect((await send(post, bad)).body.code).toBe(1210);
  expect(await stored()).toEqual(before);
  const first = await send(post, `again ${name}`);
  expect([String(first.status), replayed(first)]).toEqual([expect.stringMatching(/^20/), null]);
  const after = await stored();
  // All rule files are in force already.
  if (name !== '/refreshcache') expect(after).not.toEqual(before);

  const second = await send(post, `again ${name}`);
  expect(shown(name, second)).toEqual(shown(name, first));
  expect(replayed(second)).toBe('true');

  const differing = await send(other, `again ${name}`);
  const path = submitting.includes(name) ? 'externalTxnId' : 'Idempotency-Key';
  expect([differing.status, differing.body.errors]).toEqual([422, [expect.objectContaining({ kind: 'unique', path })]]);
  expect(await stored()).toEqual(after);
});

test.each(some)('POST %s sent by several at once with one key has one effect', async (name) => {
  const [alone, together] = [await makerOf(name)(), await makerOf(name)()];
  const none = await records();
  const first = await send(alone.first, `alone ${name}`);
  const one = await records();
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(together.first, `together ${name}`)));
  expect((await records()) - one).toBe(one - none);
  const done = answers.filter(({ status }) => status !== 409);
  expect(done.filter((answer) => replayed(answer) === null)).toHaveLength(1);
  for (const answer of done) expect(shown(name, answer)).toEqual(shown(name, done[0] ?? first));
  expect(done[0]?.status).toBe(first.status);
});

test.each(refused)('POST %s refuses a key', async (name) => {
  const { first } = await makerOf(name)();
  const before = await stored();
  expect(await send(first, `refused ${name}`)).toBeRefused(400, 1210);
  expect(await stored()).toEqual(before);
});

test.each(unchanging)('POST %s changes nothing, with a key or without', async (name) => {
  const { first } = await makerOf(name)();
  const before = await stored();
  const answers = [await send(first, `unchanging ${name}`), await send(first, `unchanging ${name}`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.map(replayed)).toEqual([null, null]);
  expect(await stored()).toEqual(before);
});

test('the service does not start with a POST that does not declare how it honours a key', () => {
  const route = defineRoute({
    method: 'POST',
    path: '/silent',
    permission: 'open',
    summary: 'Says nothing',
    responses: { 200: null },
    handle: async () => ok({}),
  });
  expect(() => createApp(world.services, [route])).toThrow('POST /silent says how');
});

test('the document names the key of every POST that honours it, and of no other', async () => {
  const { paths: documented } = (await world.server.anonymous.send('GET', '/openapi.json')).body;
  for (const path of paths) {
    const operation = documented[`/api/v1${path.replace(/:(\w+)/g, '{$1}')}`].post;
    const names = operation.parameters.map(({ name }: { name: string }) => name);
    const success = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
    const actual = [names, ...success.map((status) => Object.keys(operation.responses[status].headers))].flat();
    const isHonoured = honouring.includes(path);
    expect([path, actual.includes('Idempotency-Key'), actual.includes('Idempotent-Replayed')]).toEqual([
      path,
      isHonoured,
      isHonoured,
    ]);
  }
});
