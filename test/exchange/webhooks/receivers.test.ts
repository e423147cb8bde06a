import http from 'node:http';
import net from 'node:net';
import { ObjectId } from 'bson';
import { failure } from '#base/common/failure';
import { message } from '#base/common/messages/message';
import { createDeliverer } from '#exchange/webhooks/deliver/createDeliverer';
import { answering, type Respond } from '../../support/receiver';
import { openWebhookWorld, type WebhookWorld } from '../../support/webhookWorld';

/** What receivers do, and what the log of a delivery says about it. */
let world: WebhookWorld;
/** A deliverer for which an attempt may take only this long. */
let hasty: ReturnType<typeof createDeliverer>;
const attemptMs = 700;
beforeAll(async () => {
  world = await openWebhookWorld();
  hasty = createDeliverer(world.services, { attemptMs });
});
beforeEach(() => world.reset());
afterAll(async () => {
  await hasty?.close();
  await world?.close();
});

const deliver = async () => {
  await hasty.look();
  await hasty.idle();
};
const deliveryOf = async (webhook: string) =>
  (await world.server.as('admin').get(`/webhooks/${webhook}/deliveries`)).body[0];

const endless: Respond = (_message, response) => {
  response.writeHead(200);
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(4096)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};
const neverEnding: Respond = (_message, response) => void response.writeHead(200).write('begun');
const halfway: Respond = (_message, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('half', () => response.destroy());
};
const manyHeaders: Respond = (_message, response) => response.writeHead(200, { big: 'x'.repeat(20_000) }).end();
const redirecting: Respond = ({ path }, response) =>
  response.writeHead(path === '/hook' ? 307 : 200, { location: '/elsewhere' }).end();
const dripping: Respond = (_message, response) => {
  const timer = setInterval(() => response.socket?.write('H'), 50);
  response.on('close', () => clearInterval(timer));
};

test.each<[string, Respond, Record<string, unknown>]>([
  ['answers 200', answering(200, 'fine'), { status: 'Delivered', log: [{ status: 200, answer: 'fine' }] }],
  ['answers 299', answering(299), { status: 'Delivered', log: [{ status: 299 }] }],
  ['answers 300', answering(300), { status: 'Waiting', log: [{ status: 300 }] }],
  ['answers 404', answering(404), { status: 'Waiting', log: [{ status: 404 }] }],
  [
    'answers without end',
    endless,
    { status: 'Delivered', log: [{ status: 200, ...failure(message('webhooks.answerTooLong')) }] },
  ],
  [
    'begins an answer',
    neverEnding,
    { status: 'Delivered', log: [{ answer: 'begun', ...failure(message('webhooks.answerCutOff')) }] },
  ],
  [
    'closes in the middle of an answer',
    halfway,
    { status: 'Delivered', log: [{ status: 200, answer: 'half', ...failure(message('webhooks.answerCutOff')) }] },
  ],
  [
    'closes without an answer',
    (_message, response) => response.destroy(),
    { status: 'Waiting', log: [failure(message('webhooks.connectionClosed'))] },
  ],
  ['never answers', () => undefined, { status: 'Waiting', log: [failure(message('webhooks.noAnswerInTime'))] }],
  ['sends its answer byte by byte', dripping, { status: 'Waiting' }],
  ['sends too large headers', manyHeaders, { status: 'Waiting', log: [failure(message('webhooks.headersTooLarge'))] }],
  ['redirects', redirecting, { status: 'Waiting', log: [{ status: 307 }] }],
  [
    'answers control characters',
    answering(200, 'a\u0000b\u001b[31m'),
    { status: 'Delivered', log: [{ answer: 'a\uFFFDb\uFFFD[31m' }] },
  ],
])('a receiver that %s counts as one attempt', async (_name, respond, expected) => {
  const { _id } = await world.addWebhook();
  world.receiver.respond(respond);
  await world.commit(new ObjectId());
  await deliver();
  const delivery = await deliveryOf(_id);
  expect(delivery).toMatchObject({ attempts: 1, ...expected });
  expect(delivery.log[0].answer?.length ?? 0).toBeLessThanOrEqual(1024);
  expect(world.receiver.received.map(({ path }) => path)).toEqual(['/hook']);
});

test('a receiver that does not exist is tried again later', async () => {
  const { _id } = await world.addWebhook({ url: `http://127.0.0.1:${await freePort()}/` });
  await world.commit(new ObjectId());
  await deliver();
  const expected = { status: 'Waiting', log: [failure(message('webhooks.connectionRefused'))] };
  expect(await deliveryOf(_id)).toMatchObject(expected);
});

test('nothing is posted to a URL that is refused by now, and the log says why in any language', async () => {
  const { _id } = await world.addWebhook();
  const url = world.receiver.url.replace('http', 'ftp');
  await world.services.db.collection('webhooks').updateOne({ _id: new ObjectId(_id) }, { $set: { url } });
  await world.commit(new ObjectId());
  await deliver();
  const [attempt] = (await deliveryOf(_id)).log;
  expect(attempt).toMatchObject(failure(message('webhooks.urlFault', { fault: message('webhooks.https') })));
  expect(attempt.error).toBe('the URL must begin with https://');
});

test('a receiver that accepts connections and never answers is given up in time', async () => {
  const sockets = new Set<net.Socket>();
  const silent = net.createServer((socket) => void sockets.add(socket));
  const port = await listening(silent);
  const { _id } = await world.addWebhook({ url: `http://127.0.0.1:${port}/` });
  await world.commit(new ObjectId());
  await deliver();
  expect(await deliveryOf(_id)).toMatchObject({
    status: 'Waiting',
    log: [failure(message('webhooks.noAnswerInTime'))],
  });
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test('an idle connection that the receiver closed costs no attempt', async () => {
  const { _id } = await world.addWebhook();
  let answers = 0;
  const server = http.createServer((request, response) => {
    request.resume();
    answers += 1;
    // The next message comes on this connection, and is lost with it.
    response.end(() => setImmediate(() => request.socket.destroy()));
  });
  const port = await listening(server);
  await world.server.as('admin').put(`/webhooks/${_id}`, { url: `http://127.0.0.1:${port}/` });
  const member = new ObjectId();
  for (let n = 0; n < 5; n += 1) {
    await world.commit(member);
    await deliver();
  }
  server.closeAllConnections();
  server.close();
  const { body } = await world.server.as('admin').get(`/webhooks/${_id}/deliveries`);
  expect(body.map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  expect(answers).toBe(5);
});

async function freePort(): Promise<number> {
  const server = net.createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
