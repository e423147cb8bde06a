import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Document } from 'bson';
import { PeerLink, PeerLost } from '#base/peers/peerLink';
import { type AnswerCall, listenForPeers } from '#base/peers/peerServer';
import { joinPeers, type Peers } from '#base/peers/peers';
import { openTestServices, type TestServices } from '../../support/services';
import { until } from '../../support/until';

let services: TestServices;
let joined: Peers[] = [];

beforeAll(async () => {
  services = await openTestServices();
});
afterEach(async () => {
  await Promise.all(joined.map((peers) => peers.close()));
  joined = [];
});
afterAll(() => services.close());

const host = '127.0.0.1';
const key = randomBytes(32);
const echo: AnswerCall = async (call) => ({ echoed: call.text });

async function join(name: string, options: { key?: Buffer; answer?: AnswerCall } = {}): Promise<Peers> {
  const state = () => ({ name });
  const peers = await joinPeers({ db: services.db, host, port: 0, key, answer: echo, state, ...options });
  joined.push(peers);
  return peers;
}

/** A link to a server, once it is open. */
async function linkTo(port: number, id = 'server', own = key): Promise<PeerLink> {
  const link = new PeerLink({ id, host, port }, own, () => undefined);
  await until(async () => link.isOpen || link.isClosed);
  return link;
}

const isLost = (call: Promise<Document>) => call.then(() => false).catch((error: unknown) => error instanceof PeerLost);

test('processes that joined find each other, and each knows what the other tells', async () => {
  const [first, second] = [await join('first'), await join('second')];
  await until(async () => first.seen().members.length === 2 && second.seen().members.length === 2);
  expect([...first.seen().members].sort()).toEqual([...second.seen().members].sort());
  expect(first.seen().states.get(second.id)).toEqual({ name: 'second' });
  expect(await first.link(second.id)?.call({ text: 'hello' })).toEqual({ echoed: 'hello' });
  expect(await second.link(first.id)?.call({ text: 'back' })).toEqual({ echoed: 'back' });
  expect(first.link(first.id)).toBeUndefined();
});

test('a process with another key is never called', async () => {
  const [first, stranger] = [await join('first'), await join('stranger', { key: randomBytes(32) })];
  const epoch = first.epoch;
  // Each beat has tried to connect.
  await until(async () => first.epoch > epoch + 3);
  expect(first.seen().members).toEqual([first.id]);
  expect(stranger.seen().members).toEqual([stranger.id]);
});

test('calls of any size are answered, many at once', async () => {
  const server = await listenForPeers({ host, port: 0, key, id: 'server' }, echo);
  const link = await linkTo(server.port);
  const texts = Array.from({ length: 200 }, (_unused, n) => `${n} `.repeat(n % 20 === 0 ? 50_000 : n));
  const answers = await Promise.all(texts.map((text) => link.call({ text })));
  expect(answers).toEqual(texts.map((echoed) => ({ echoed })));
  expect(link.pending).toBe(0);
  link.close();
  await server.close();
});

test('a server that ends answers the calls in progress, and gets no more', async () => {
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow: AnswerCall = async () => finished.then(() => ({ isDone: true }));
  const server = await listenForPeers({ host, port: 0, key, id: 'server' }, slow);
  const link = await linkTo(server.port);
  const call = link.call({});
  const closed = server.close();
  await until(async () => !link.isOpen);
  expect(await isLost(link.call({}))).toBe(true);
  finish();
  expect(await call).toEqual({ isDone: true });
  await closed;
  await until(async () => link.isClosed);
});

test('an answer that is made when the server closes its connections arrives', async () => {
  for (let round = 0; round < 20; round += 1) {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const server = await listenForPeers({ host, port: 0, key, id: 'server' }, () => finished.then(() => ({ round })));
    const link = await linkTo(server.port);
    const call = link.call({});
    const closed = server.close();
    await until(async () => !link.isOpen);
    // In the turn of a timer, as the one in which the server looks whether all calls are answered.
    setTimeout(finish, round);
    expect(await call).toEqual({ round });
    await closed;
    link.close();
  }
});

test('a call is lost when the connection is cut', async () => {
  const server = await listenForPeers({ host, port: 0, key, id: 'server' }, () => new Promise(() => undefined));
  const proxy = createServer((socket) => {
    const onward = connect(server.port, host);
    socket.pipe(onward).pipe(socket);
    proxy.once('cut', () => socket.destroy());
  });
  await once(proxy.listen(0, host), 'listening');
  const link = await linkTo((proxy.address() as AddressInfo).port);
  const call = link.call({});
  proxy.emit('cut');
  expect(await isLost(call)).toBe(true);
  expect(link.isClosed).toBe(true);
  proxy.close();
});

test('a call is lost when the other side is silent, and the other side knows that it was given up before', async () => {
  let isGone: (() => boolean) | undefined;
  const server = await listenForPeers({ host, port: 0, key, id: 'server' }, (_call, gone) => {
    isGone = gone;
    return new Promise(() => undefined);
  });
  const proxy = createServer((socket) => {
    const onward = connect(server.port, host);
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => undefined);
    // As when a cable is pulled: both ends stay open.
    proxy.once('freeze', () => {
      socket.unpipe(onward);
      onward.unpipe(socket);
      socket.pause();
      onward.pause();
    });
  });
  await once(proxy.listen(0, host), 'listening');
  const link = await linkTo((proxy.address() as AddressInfo).port);
  const call = link.call({});
  let wasGone: boolean | undefined;
  const lost = isLost(call).then((isLostNow) => {
    wasGone = isGone?.();
    return isLostNow;
  });
  await until(async () => isGone !== undefined);
  expect(isGone?.()).toBe(false);
  proxy.emit('freeze');
  expect(await lost).toBe(true);
  expect(wasGone).toBe(true);
  proxy.close();
});

test('a server with another name than expected is not called', async () => {
  const server = await listenForPeers({ host, port: 0, key, id: 'another' }, echo);
  const link = await linkTo(server.port);
  expect(link.isClosed).toBe(true);
  expect(await isLost(link.call({}))).toBe(true);
  await server.close();
});

test('a connection without the key, or with bytes that are no frames, is closed', async () => {
  const server = await listenForPeers({ host, port: 0, key, id: 'server' }, echo);
  const plain = connect(server.port, host);
  plain.on('error', () => undefined);
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await until(async () => plain.destroyed || plain.readableEnded);
  const options = { host, port: server.port, checkServerIdentity: () => undefined };
  const keyless = connectTls({ ...options, rejectUnauthorized: false });
  const [refused] = await once(keyless, 'error');
  expect(refused).toBeInstanceOf(Error);
  const garbling = connectTls({
    ...options,
    ciphers: 'TLS_AES_128_GCM_SHA256',
    minVersion: 'TLSv1.3',
    pskCallback: () => ({ psk: key, identity: 'loyalty-peer' }),
  });
  await once(garbling, 'secureConnect');
  garbling.on('error', () => undefined);
  garbling.write(Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]));
  await once(garbling, 'close');
  expect(garbling.destroyed).toBe(true);
  await server.close();
});
