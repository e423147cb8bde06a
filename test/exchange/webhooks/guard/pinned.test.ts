import { failure } from '#base/common/failure';
import { type Message, message } from '#base/common/messages/message';
import { createTransport } from '#exchange/webhooks/deliver/transport';
import { receiverFault } from '#exchange/webhooks/receiverFault';
import { type NameServer, openNameServer } from '../../../support/nameServer';
import { openReceiver, type Receiver } from '../../../support/receiver';

/** Names that stand for addresses which are not public, and names that change. */
let names: NameServer;
let receiver: Receiver;
beforeAll(async () => {
  names = await openNameServer();
  receiver = await openReceiver();
});
afterAll(async () => {
  await names?.close();
  await receiver?.close();
});

const guarded = () => ({ isPrivateAllowed: false, nameServers: [names.address] });
const postTo = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });

test.each([
  ['a private address', ['10.0.0.7'], true],
  ['loopback', ['127.0.0.1'], true],
  ['metadata', ['169.254.169.254'], true],
  ['a public and a private address', ['93.184.216.34', '192.168.1.1'], true],
  ['a public address', ['93.184.216.34'], false],
  ['nothing', [], false],
])('a webhook at creation is refused or accepted by an address: %s', async (_name, addresses, isRefused) => {
  names.answer(...addresses);
  const fault = await receiverFault('https://receiver.example/', guarded());
  expect(fault !== undefined).toBe(isRefused);
});

test('a name that resolves to this machine at delivery is refused without a connection', async () => {
  names.answer('93.184.216.34');
  const { port } = new URL(receiver.url);
  const url = `https://receiver.example:${port}/`;
  expect(await receiverFault(url, guarded())).toBeUndefined();
  names.answer('127.0.0.1');
  const before = receiver.connections();
  const transport = createTransport({ ...guarded(), attemptMs: 2000 });
  expect(await transport.post(postTo(url))).toEqual(failure(message('webhooks.receiverNotPublic')));
  transport.close();
  expect([receiver.received, receiver.connections()]).toEqual([[], before]);
});

test('each delivery resolves the name again, and connects to that address', async () => {
  names.answer('127.0.0.1');
  names.queries.length = 0;
  const { port } = new URL(receiver.url);
  // Where private networks are allowed, the name servers of the machine are not asked either.
  const transport = createTransport({ isPrivateAllowed: true, nameServers: [names.address], attemptMs: 2000 });
  expect(await transport.post(postTo(`http://receiver.example:${port}/`))).toEqual({ status: 204 });
  expect(names.queries).toContain('receiver.example 1');
  expect(receiver.received[0]?.headers.host).toBe(`receiver.example:${port}`);
  transport.close();
});

test.each<[string, Message]>([
  ['https://127.0.0.1:8443/', message('webhooks.publicUnlessPrivate')],
  ['https://[::ffff:127.0.0.1]:8443/', message('webhooks.publicUnlessPrivate')],
  ['http://93.184.216.34/', message('webhooks.httpsUnlessPrivate')],
  ['https://localhost/', message('webhooks.publicUnlessPrivate')],
])('a stored URL that is not allowed any more is not posted to: %s', async (url, fault) => {
  const transport = createTransport(guarded());
  expect(await transport.post(postTo(url))).toEqual(failure(message('webhooks.urlFault', { fault })));
  transport.close();
});
