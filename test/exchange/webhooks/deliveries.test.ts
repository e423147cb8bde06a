import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'bson';
import { Webhook as Verifier } from 'standardwebhooks';
import { message } from '#base/common/messages/message';
import { createDeliverer } from '#exchange/webhooks/deliver/createDeliverer';
import { answering, type Received } from '../../support/receiver';
import { openWebhookWorld, pausedBy, type WebhookWorld } from '../../support/webhookWorld';

/** docs/design/webhooks.md: how events reach a receiver, when they are tried again, and in which order. */
let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
beforeEach(() => world.reset());
afterAll(() => world?.close());

const secondMs = 1000;
const hourMs = 3_600_000;

const admin = () => world.server.as('admin');
const deliveriesOf = async (webhook: string) => {
  const { body } = await admin().get(`/webhooks/${webhook}/deliveries?sort={"event":1}`);
  return body;
};
const memberOf = ({ body }: Received) => JSON.parse(body).member;
const membersSeen = () => world.receiver.received.map(memberOf);
const advance = async (ms: number) => {
  world.services.clock.advance(ms);
  await world.deliver();
};

test('an event is posted once, signed, with the body that GET /events shows', async () => {
  const { _id, secret } = await world.addWebhook();
  await world.commit(new ObjectId());
  await world.deliver();
  await world.deliver();
  const { received } = world.receiver;
  expect(received).toHaveLength(1);
  const [{ body, headers } = { body: '', headers: {} }] = received;
  const event = new Verifier(secret).verify(body, headers);
  const shown = (await admin().get('/events?types=member.created&limit=1000')).body.events.at(-1);
  expect(event).toEqual(shown);
  expect(headers).toMatchObject({ 'webhook-id': shown.id, 'content-type': 'application/json; charset=utf-8' });
  expect(() => new Verifier(secret).verify(body.replace('Active', 'active'), headers)).toThrow();
  expect(await deliveriesOf(_id)).toMatchObject([
    { status: 'Delivered', event: shown.id, attempts: 1, kind: 'event', log: [{ status: 204 }] },
  ]);
});

test('a webhook gets only events that are committed after it was made, of its types', async () => {
  await world.commit(new ObjectId());
  await world.addWebhook();
  await world.addWebhook({ url: `${world.receiver.url}/tiers`, events: ['tier.changed'] });
  const later = new ObjectId();
  await world.commit(later);
  await world.deliver();
  expect(membersSeen()).toEqual([String(later)]);
});

test('failures are tried again after 5 s, 30 s, 2 min, 10 min, 1 h, then hourly, with the same body', async () => {
  const { _id } = await world.addWebhook();
  const { receiver } = world;
  receiver.respond(answering(500, 'not today'));
  world.services.clock.set('2026-11-24T12:00:00.000Z');
  await world.commit(new ObjectId());
  await world.deliver();
  expect(receiver.received).toHaveLength(1);
  for (const [index, waitMs] of [5, 30, 120, 600, 3600, 3600, 3600].map((seconds) => seconds * secondMs).entries()) {
    await advance(waitMs - 1);
    expect([index, receiver.received.length]).toEqual([index, index + 1]);
    await advance(1);
    expect([index, receiver.received.length]).toEqual([index, index + 2]);
  }
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.ids()).size).toBe(1);
  expect(await deliveriesOf(_id)).toMatchObject([
    { status: 'Waiting', attempts: 8, log: Array(8).fill({ status: 500, answer: 'not today' }) },
  ]);
  receiver.respond(answering(200, 'ok'));
  await advance(hourMs);
  expect(await deliveriesOf(_id)).toMatchObject([{ status: 'Delivered', attempts: 9 }]);
});

test('an event of a member waits for the earlier one, and other members do not', async () => {
  await world.addWebhook();
  const [stuck, free] = [new ObjectId(), new ObjectId()];
  world.receiver.respond((message, response) =>
    answering(memberOf(message) === String(stuck) ? 500 : 200)(message, response),
  );
  await world.commit(stuck, stuck, free, free);
  await world.deliver();
  expect(membersSeen().filter((member) => member === String(stuck))).toHaveLength(1);
  expect(membersSeen().filter((member) => member === String(free))).toHaveLength(2);
  world.receiver.respond(answering(200));
  await advance(5 * secondMs);
  const ids = world.receiver.received.filter((message) => memberOf(message) === String(stuck));
  const [first, again, second] = ids.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(again).toBe(first);
  expect(Number(second)).toBe(Number(first) + 1);
});

describe('a receiver that names a time (Retry-After)', () => {
  const busy =
    (retryAfter: string) =>
    (_message: Received, response: ServerResponse): void => {
      response.writeHead(429, { 'retry-after': retryAfter }).end();
    };
  const atNoon = new Date('2026-11-24T12:00:00.000Z');

  test.each([
    ['seconds', '600', 600],
    ['a date', 'Tue, 24 Nov 2026 12:10:00 GMT', 600],
    ['more than a day', '9999999', 86_400],
  ])('as %s gets nothing earlier, also of other members', async (_what, header, seconds) => {
    world.services.clock.set(atNoon);
    const { _id } = await world.addWebhook();
    world.receiver.respond(busy(header));
    await world.commit(new ObjectId());
    await world.deliver();
    await world.commit(new ObjectId(), new ObjectId());
    await advance((seconds - 1) * secondMs);
    expect(world.receiver.received).toHaveLength(1);
    world.receiver.respond(answering(200));
    await advance(secondMs);
    expect((await deliveriesOf(_id)).map(({ status }: { status: string }) => status)).toEqual(
      Array(3).fill('Delivered'),
    );
  });

  test.each(['1', 'soon', '-5', '0', 'Tue, 24 Nov 2020 12:10:00 GMT', '2026-11-25'])(
    'as %s is tried at its usual time',
    async (header) => {
      world.services.clock.set(atNoon);
      await world.addWebhook();
      world.receiver.respond(busy(header));
      await world.commit(new ObjectId());
      await world.deliver();
      await advance(5 * secondMs - 1);
      expect(world.receiver.received).toHaveLength(1);
      await advance(1);
      expect(world.receiver.received).toHaveLength(2);
    },
  );

  test('gets a request at once when a user sends a test, retries, or pauses and resumes it', async () => {
    world.services.clock.set(atNoon);
    const { _id } = await world.addWebhook();
    world.receiver.respond(busy('3600'));
    await world.commit(new ObjectId());
    await world.deliver();
    await admin().post(`/webhooks/${_id}/test`);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(2);
    const [waiting] = (await deliveriesOf(_id)).filter(({ kind }: { kind: string }) => kind === 'event');
    await admin().post(`/webhooks/${_id}/deliveries/${waiting._id}/retry`);
    await world.deliver();
    expect(world.receiver.received).toHaveLength(3);
    world.services.clock.advance(secondMs);
    for (const status of ['Paused', 'Active']) await admin().put(`/webhooks/${_id}`, { status });
    await world.deliver();
    expect(world.receiver.received).toHaveLength(4);
  });
});

test('a receiver that answers 410 is paused; set to Active, it gets what waits', async () => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(answering(410));
  await world.commit(new ObjectId());
  await world.deliver();
  await world.commit(new ObjectId());
  await advance(hourMs);
  expect(world.receiver.received).toHaveLength(1);
  const { body } = await admin().get(`/webhooks/${_id}`);
  expect(body).toMatchObject(pausedBy(message('webhooks.pausedGone')));
  expect((await admin().get(`/auditlog?resource=webhooks&id=${_id}&action=pause`)).body).toHaveLength(1);
  world.receiver.respond(answering(200));
  await admin().put(`/webhooks/${_id}`, { status: 'Active' });
  await world.deliver();
  expect(world.receiver.ids()).toHaveLength(3);
});

test('a receiver that accepts nothing for three days is paused; set to Active, it gets all that is kept', async () => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(answering(503));
  const [early, late] = [new ObjectId(), new ObjectId()];
  await world.commit(early);
  await world.deliver();
  for (let hour = 0; hour < 73; hour += 1) await advance(hourMs);
  const paused = (await admin().get(`/webhooks/${_id}`)).body;
  expect(paused).toMatchObject(pausedBy(message('webhooks.pausedDown')));
  expect(await deliveriesOf(_id)).toMatchObject([{ status: 'Waiting' }]);
  await world.commit(late);
  const before = world.receiver.received.length;
  await advance(72 * hourMs);
  expect(world.receiver.received).toHaveLength(before);
  // While it is paused, events cost nothing.
  expect(await deliveriesOf(_id)).toHaveLength(1);

  world.receiver.respond(answering(200));
  const active = await admin().put(`/webhooks/${_id}`, { status: 'Active' });
  expect([active.body.pausedBecause, active.body.fault]).toEqual([undefined, undefined]);
  await world.deliver();
  expect(new Set(membersSeen().slice(before))).toEqual(new Set([String(early), String(late)]));
  expect((await deliveriesOf(_id)).map(({ status }: { status: string }) => status)).toEqual(['Delivered', 'Delivered']);
});

test('an event that alone is refused for three days is dead, and is delivered after a retry', async () => {
  const { _id } = await world.addWebhook();
  const [poison, healthy] = [new ObjectId(), new ObjectId()];
  world.receiver.respond((message, response) =>
    answering(memberOf(message) === String(poison) ? 422 : 200)(message, response),
  );
  await world.commit(poison, poison);
  await world.deliver();
  for (let hour = 0; hour < 73; hour += 1) {
    if (hour % 24 === 0) await world.commit(healthy);
    await advance(hourMs);
  }
  const [dead, next] = await deliveriesOf(_id);
  expect([dead.status, next.status]).toEqual(['Dead', 'Waiting']);
  expect(dead.log).toHaveLength(10);
  expect((await admin().get(`/webhooks/${_id}`)).body.status).toBe('Active');
  world.receiver.respond(answering(200));
  const retried = await admin().post(`/webhooks/${_id}/deliveries/${dead._id}/retry`);
  expect([retried.status, retried.body.status]).toEqual([202, 'Waiting']);
  await world.deliver();
  const after = (await admin().get(`/webhooks/${_id}/deliveries/${dead._id}`)).body;
  expect(after).toMatchObject({ status: 'Delivered', attempts: dead.attempts + 1 });
  const again = await admin().post(`/webhooks/${_id}/deliveries/${dead._id}/retry`);
  expect([again.status, again.body.errors[0].path]).toEqual([422, 'status']);
});

test('a retry of a delivery that waits is made at once', async () => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(answering(500));
  await world.commit(new ObjectId());
  await world.deliver();
  world.receiver.respond(answering(200));
  const [waiting] = await deliveriesOf(_id);
  await admin().post(`/webhooks/${_id}/deliveries/${waiting._id}/retry`);
  await world.deliver();
  expect(await deliveriesOf(_id)).toMatchObject([{ status: 'Delivered', attempts: 2 }]);
});

test('while a webhook is paused, nothing but tests is sent; then all in order', async () => {
  const { _id } = await world.addWebhook({ status: 'Paused' });
  const members = Array.from({ length: 20 }, () => new ObjectId());
  const one = new ObjectId();
  await world.commit(...members, one, one, one);
  await world.deliver();
  expect(world.receiver.received).toEqual([]);
  const test = await admin().post(`/webhooks/${_id}/test`);
  expect(test.status).toBe(202);
  await world.deliver();
  expect(world.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['webhook.test']);
  await admin().patch(`/webhooks/${_id}`, { status: 'Active' });
  await world.deliver();
  const got = membersSeen().slice(1);
  expect([...got].sort()).toEqual([...members, one, one, one].map(String).sort());
  const ofOne = world.receiver.received.filter((message) => memberOf(message) === String(one));
  const ids = ofOne.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([...ids].sort());
});

test('a test is posted once, and not again when it fails', async () => {
  const { _id, secret } = await world.addWebhook();
  world.receiver.respond(answering(500, 'no'));
  const { body, headers } = await admin().post(`/webhooks/${_id}/test`);
  await world.deliver();
  await advance(hourMs);
  expect(world.receiver.received).toHaveLength(1);
  const [message] = world.receiver.received;
  expect(new Verifier(secret).verify(message?.body ?? '', message?.headers ?? {})).toMatchObject({
    type: 'webhook.test',
    id: body.event,
  });
  const location = headers.get('location')?.replace('/api/v1', '') ?? '';
  expect((await admin().get(location)).body).toMatchObject({ status: 'Dead', log: [{ status: 500, answer: 'no' }] });
});

test('two deliverers at once deliver each event once, a member in order', async () => {
  await world.addWebhook();
  const other = createDeliverer(world.services);
  const members = Array.from({ length: 5 }, () => new ObjectId());
  const waves = Array.from({ length: 6 }, () => members);
  for (const wave of waves) {
    await world.commit(...wave, ...wave);
    await Promise.all([world.deliverer.look(), other.look()]);
    await sleep(Math.random() * 5);
  }
  await Promise.all([world.deliverer.idle(), other.idle()]);
  await world.deliver();
  await other.close();
  expect(world.receiver.received).toHaveLength(60);
  for (const member of members.map(String)) {
    const ids = world.receiver.received
      .filter((message) => memberOf(message) === member)
      .map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([...new Set(ids)].sort());
  }
});

test('a slow receiver does not hold up another one', async () => {
  const current: (() => void)[] = [];
  await world.addWebhook({ url: `${world.receiver.url}/slow` });
  await world.addWebhook({ url: `${world.receiver.url}/quick` });
  world.receiver.respond((message, response) => {
    if (message.path.endsWith('/slow')) current.push(() => response.end());
    else response.end();
  });
  await world.commit(...Array.from({ length: 50 }, () => new ObjectId()));
  await world.deliverer.look();
  const quick = () => world.receiver.received.filter(({ path }) => path.endsWith('/quick')).length;
  while (quick() < 50) await sleep(5);
  // Attempts to one webhook are bounded.
  expect(current.length).toBeLessThanOrEqual(8);
  world.receiver.respond(answering(200));
  for (const release of current) release();
  await world.deliverer.idle();
  await world.deliver();
});

test('a clock behind that of the process which made a webhook active does not cause endless attempts', async () => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(answering(500));
  world.services.clock.set('2020-01-01T00:00:00.000Z');
  await world.commit(new ObjectId());
  await world.deliver();
  expect(world.receiver.received).toHaveLength(1);
  await advance(5 * secondMs);
  expect(await deliveriesOf(_id)).toMatchObject([{ status: 'Waiting', attempts: 2 }]);
});

test('deleting a webhook deletes its deliveries and ends them', async () => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(answering(500));
  await world.commit(new ObjectId());
  await world.deliver();
  expect((await admin().delete(`/webhooks/${_id}`)).status).toBe(204);
  await advance(hourMs);
  expect(world.receiver.received).toHaveLength(1);
  for (const collection of ['webhookdeliveries', 'webhookstates', 'webhooks']) {
    expect([collection, await world.services.db.collection(collection).countDocuments({})]).toEqual([collection, 0]);
  }
});

test('a finished delivery is kept as long as RETAIN_WEBHOOKS says, one that waits for ever', async () => {
  await world.addWebhook();
  world.services.clock.set('2027-01-01T00:00:00.000Z');
  await world.commit(new ObjectId());
  await world.deliver();
  world.receiver.respond(answering(500));
  await world.commit(new ObjectId());
  await world.deliver();
  const stored = await world.services.db.collection('webhookdeliveries').find({}).sort({ order: 1 }).toArray();
  expect(stored.map(({ keptUntil, payload }) => [keptUntil, typeof payload])).toEqual([
    [new Date('2027-01-31T00:00:00.000Z'), 'undefined'],
    [undefined, 'string'],
  ]);
});
