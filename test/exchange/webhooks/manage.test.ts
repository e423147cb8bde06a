import { ObjectId } from 'bson';
import { Webhook as Verifier } from 'standardwebhooks';
import { message } from '#base/common/messages/message';
import { createDeliverer } from '#exchange/webhooks/deliver/createDeliverer';
import type { Config } from '#platform/infrastructure/config';
import { openTestServer } from '../../support/server';
import { openWebhookWorld, pausedBy, type WebhookWorld } from '../../support/webhookWorld';

/** docs/design/webhooks.md: what managers do with webhooks. */
let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
beforeEach(() => world.reset());
afterAll(() => world?.close());

const manager = () => world.server.as('program-manager');
const eventsOf = () => world.receiver.received.map(({ body }) => JSON.parse(body));

test('a webhook is made, read, changed and deleted; its secret is in the answer of the creation only', async () => {
  const body = { url: world.receiver.url, events: ['points.earned', 'tier.changed'], description: 'Shop' };
  const made = await manager().post('/webhooks', body);
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toMatchObject({ ...body, status: 'Active' });
  const path = `/webhooks/${shown._id}`;
  expect((await manager().get(path)).body).toEqual(shown);
  expect((await manager().get('/webhooks')).body).toEqual([shown]);
  const changed = await manager().put(path, { ...shown, description: null, events: ['points.earned'] });
  expect(changed.body).toMatchObject({ events: ['points.earned'], url: body.url });
  expect(changed.body).not.toHaveProperty('description');
  for (const field of ['secret', 'generation', 'secretCheck', 'earlier']) {
    expect([400, 422]).toContain((await manager().get(`/webhooks?select={"${field}":1}`)).status);
    expect((await manager().put(path, { [field]: 'x' })).status).toBe(422);
  }
  expect((await manager().delete(path)).status).toBe(204);
  expect((await manager().get(path)).status).toBe(404);
});

test('no collection has a readable secret', async () => {
  const { _id, secret } = await world.addWebhook();
  const rotated = await manager().post(`/webhooks/${_id}/rotate`);
  await world.commit(new ObjectId());
  await world.deliver();
  const { db } = world.services;
  const all = (await db.db?.listCollections({ type: 'collection' }).toArray()) ?? [];
  const names = all.filter(({ name }) => !name.startsWith('system.'));
  const texts = await Promise.all(
    names.map(async ({ name }) => JSON.stringify(await db.collection(name).find().toArray())),
  );
  for (const text of [secret, rotated.body.secret].map((each) => each.slice('whsec_'.length))) {
    expect(texts.filter((each) => each.includes(text))).toEqual([]);
  }
});

test.each([
  ['no url', { events: ['points.earned'] }, 'url'],
  ['no events', { url: 'http://127.0.0.1/' }, 'events'],
  ['an empty list', { url: 'http://127.0.0.1/', events: [] }, 'events'],
  ['an unknown event', { url: 'http://127.0.0.1/', events: ['points.stolen'] }, 'events.0'],
  ['an event twice', { url: 'http://127.0.0.1/', events: ['points.earned', 'points.earned'] }, 'events'],
  ['no URL', { url: 'receiver', events: ['points.earned'] }, 'url'],
  ['another protocol', { url: 'ftp://127.0.0.1/', events: ['points.earned'] }, 'url'],
  ['a secret', { url: 'http://127.0.0.1/', events: ['points.earned'], secret: 'whsec_AAAA' }, 'secret'],
  ['a reason', { url: 'http://127.0.0.1/', events: ['points.earned'], pausedBecause: 'so' }, 'pausedBecause'],
  ['a fault', { url: 'http://127.0.0.1/', events: ['points.earned'], fault: { message: 'so' } }, 'fault'],
])('a webhook with %s is refused', async (_name, body, path) => {
  const { status, body: answer } = await manager().post('/webhooks', body);
  expect([status, answer.errors[0].path]).toEqual([422, path]);
  expect(await world.services.db.collection('webhooks').countDocuments({})).toBe(0);
});

test('an org has at most 20 webhooks, however many are made at once', async () => {
  const body = { url: world.receiver.url, events: ['points.earned'] };
  const answers = await Promise.all(Array.from({ length: 30 }, () => manager().post('/webhooks', body)));
  const made = answers.filter(({ status }) => status === 201).length;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
  expect(made).toBe(20);
  expect((await manager().get('/webhooks/count')).body.count).toBe(20);
});

test('after a rotation both secrets sign for a time', async () => {
  const { _id, secret } = await world.addWebhook();
  const { body, status } = await manager().post(`/webhooks/${_id}/rotate`, { overlapSeconds: 60 });
  expect([status, body.secret === secret]).toEqual([200, false]);
  await world.commit(new ObjectId());
  await world.deliver();
  world.services.clock.advance(61_000);
  await world.commit(new ObjectId());
  await world.deliver();
  const [during, after] = world.receiver.received;
  const verifies = (each: string, message: typeof during) => {
    try {
      return new Verifier(each).verify(message?.body ?? '', message?.headers ?? {}) !== undefined;
    } catch {
      return false;
    }
  };
  expect([secret, body.secret].map((each) => verifies(each, during))).toEqual([true, true]);
  expect([secret, body.secret].map((each) => verifies(each, after))).toEqual([false, true]);
});

test('a rotation without overlap ends the earlier secret at once; five in a row leave none unsigned', async () => {
  const { _id } = await world.addWebhook();
  const secrets: string[] = [];
  for (let n = 0; n < 4; n += 1) secrets.push((await manager().post(`/webhooks/${_id}/rotate`)).body.secret);
  await world.commit(new ObjectId());
  await world.deliver();
  const signatures = world.receiver.received[0]?.headers['webhook-signature']?.split(' ');
  expect(signatures).toHaveLength(5);
  for (const secret of secrets) {
    const [{ body, headers } = { body: '', headers: {} }] = world.receiver.received;
    expect(new Verifier(secret).verify(body, headers)).toBeDefined();
  }
  const { secret } = (await manager().post(`/webhooks/${_id}/rotate`, { overlapSeconds: 0 })).body;
  await world.commit(new ObjectId());
  await world.deliver();
  const { body = '', headers = {} } = world.receiver.received.at(-1) ?? {};
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(1);
  expect(new Verifier(secret).verify(body, headers)).toBeDefined();
  expect((await manager().post(`/webhooks/${_id}/rotate`, { overlapSeconds: 604_801 })).status).toBe(422);
});

test('a webhook whose secret changed with the key of the service is paused, and works again after a rotation', async () => {
  const { _id } = await world.addWebhook();
  const config: Config = { ...world.services.config, WEBHOOK_KEY: 'another key of 32 bytes or more, not secret' };
  const other = createDeliverer({ ...world.services, config });
  await world.commit(new ObjectId());
  await other.look();
  await other.idle();
  await other.close();
  const { body } = await manager().get(`/webhooks/${_id}`);
  expect(body).toMatchObject(pausedBy(message('webhooks.pausedSecret')));
  expect(world.receiver.received).toEqual([]);
  const { secret } = (await manager().post(`/webhooks/${_id}/rotate`)).body;
  const log = (await world.server.as('admin').get(`/auditlog?resource=webhooks&id=${_id}&sort=seq`)).body;
  const output = log.map(({ action, via }: { action: string; via: string }) => `${action} ${via}`);
  expect(output).toEqual(['create api', 'pause service', 'rotate api']);
  expect(JSON.stringify(log)).not.toContain(secret);
  await manager().put(`/webhooks/${_id}`, { status: 'Active' });
  await world.deliver();
  const [{ body: sent, headers } = { body: '', headers: {} }] = world.receiver.received;
  expect(new Verifier(secret).verify(sent, headers)).toBeDefined();
});

test('a replay delivers the events of a period again, in order, and only of the types of the webhook', async () => {
  const { _id } = await world.addWebhook();
  const member = new ObjectId();
  for (const hour of ['10', '11', '12', '13']) {
    world.services.clock.set(`2027-01-01T${hour}:00:00.000Z`);
    await world.commit(member, member);
  }
  await world.deliver();
  const first = eventsOf();
  expect(first).toHaveLength(8);
  const body = { from: '2027-01-01T11:00:00.000Z', to: '2027-01-01T13:00:00.000Z' };
  const { status, body: replay, headers } = await manager().post(`/webhooks/${_id}/replay`, body);
  expect([status, replay.status]).toEqual([202, 'Running']);
  await world.deliver();
  expect(eventsOf().slice(8)).toEqual(first.slice(2, 6));
  const done = await manager().get(headers.get('location')?.replace('/api/v1', '') ?? '');
  expect(done.body).toMatchObject({ status: 'Done', deliveries: 4 });
});

test('a replay delivers the events with some ids again, also those that were delivered in a replay before', async () => {
  const { _id } = await world.addWebhook();
  await world.commit(...Array.from({ length: 5 }, () => new ObjectId()));
  await world.deliver();
  const ids = eventsOf()
    .map(({ id }) => id)
    .sort();
  for (const at of [5, 7]) {
    await manager().post(`/webhooks/${_id}/replay`, { events: [ids[3], ids[1]] });
    await world.deliver();
    const again = eventsOf()
      .slice(at)
      .map(({ id }) => id);
    expect(again.sort()).toEqual([ids[1], ids[3]]);
  }
});

test.each([
  ['nothing', {}, 'from'],
  ['times and ids', { from: '2027-01-01T00:00:00Z', events: ['0000000000000001'] }, 'events'],
  ['an end before its beginning', { from: '2027-01-02T00:00:00Z', to: '2027-01-01T00:00:00Z' }, 'to'],
  ['an event that there is not', { events: ['9999999999999999'] }, 'events.0'],
  ['the type of an event', { events: ['budget.low'] }, 'events.0'],
])('a replay of %s is refused', async (_name, body, path) => {
  const { _id } = await world.addWebhook();
  const { status, body: answer } = await manager().post(`/webhooks/${_id}/replay`, body);
  expect([status, answer.errors?.[0].path]).toEqual([422, path]);
});

test('at most five replays and ten tests of a webhook wait', async () => {
  const { _id } = await world.addWebhook();
  const replay = () => manager().post(`/webhooks/${_id}/replay`, { from: '2020-01-01T00:00:00Z' });
  const trial = () => manager().post(`/webhooks/${_id}/test`);
  const statuses = async (send: typeof trial, count: number) => {
    const found: number[] = [];
    for (let n = 0; n < count; n += 1) found.push((await send()).status);
    return found;
  };
  expect(await statuses(replay, 6)).toEqual([...Array(5).fill(202), 429]);
  expect(await statuses(trial, 11)).toEqual([...Array(10).fill(202), 429]);
});

test('another org sees and triggers nothing, and a client and a reader change nothing', async () => {
  const { _id } = await world.addWebhook();
  const reader = world.server.as('reader');
  expect((await reader.get(`/webhooks/${_id}`)).status).toBe(200);
  for (const role of ['reader', 'client'] as const) {
    const as = world.server.as(role);
    const body = { url: world.receiver.url, events: ['points.earned'] };
    const answers = [
      await as.post('/webhooks', body),
      await as.put(`/webhooks/${_id}`, { status: 'Paused' }),
      await as.delete(`/webhooks/${_id}`),
      await as.post(`/webhooks/${_id}/test`),
      await as.post(`/webhooks/${_id}/rotate`),
      await as.post(`/webhooks/${_id}/replay`, { from: '2020-01-01T00:00:00Z' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(403));
  }
});

test('receivers in private networks are refused where WEBHOOK_PRIVATE is off', async () => {
  const server = await openTestServer();
  try {
    const urls = [
      'http://127.0.0.1:3000/',
      'https://127.0.0.1/',
      'https://[::1]/',
      'https://169.254.169.254/',
      'https://10.1.2.3/',
    ];
    for (const url of urls) {
      const made = await server.as('admin').post('/webhooks', { url, events: ['points.earned'] });
      expect([url, made.status, made.body.errors[0].path]).toEqual([url, 422, 'url']);
    }
    const made = await server.as('admin').post('/webhooks', { url: 'https://8.8.8.8/', events: ['points.earned'] });
    expect(made.status).toBe(201);
    const changed = await server.as('admin').put(`/webhooks/${made.body._id}`, { url: 'https://192.168.0.1/' });
    expect(changed.status).toBe(422);
  } finally {
    await server.close();
  }
});
