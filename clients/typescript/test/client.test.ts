import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import { fillDemo } from '../../../src/operations/demo/fillDemo';
import { openTestServer, type TestServer } from '../../../test/support/server';
import { type TestServices, testPassword } from '../../../test/support/services';
import { createLoyaltyClient, LoyaltyError, type PageQuery, pages, result, verifyWebhook } from '../src';

let server: TestServer & { services: TestServices };
let credentials: { username: string; password: string };
beforeAll(async () => {
  server = await openTestServer({ rulesDir: path.resolve(__dirname, '../../../rules'), ORG: 'test' });
  await fillDemo(server.services, server.services.org);
  await server.services.ruleSets.start();
  credentials = { username: server.services.users.client.username, password: testPassword };
});
afterAll(() => server.close());

/** Makes an asynchronous function of its parameters and its lines. */
const AsyncFunction = (async () => undefined).constructor as new (
  ...words: string[]
) => (...values: unknown[]) => Promise<unknown>;

type Send = (request: Request) => Promise<Response>;

/** A client whose requests go through `send`, and the requests that were sent. */
function clientThrough(send: Send = fetch, user = credentials) {
  const sent: Request[] = [];
  const client = createLoyaltyClient({
    url: server.url,
    credentials: user,
    retries: { pauseMs: 1, attemptsMax: 4 },
    fetch: (request) => {
      sent.push(request.clone());
      return send(request);
    },
  });
  const pathsSent = () => sent.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  return { client, sent, pathsSent };
}

/** Sends every request, and loses the first answer to a path. */
function losing(lost: string): Send {
  let isLost = false;
  return async (request) => {
    const answer = await fetch(request);
    if (isLost || !request.url.endsWith(lost)) return answer;
    isLost = true;
    throw new TypeError('the connection was closed');
  };
}

/** Answers some requests to a path itself, one after the other, before it sends any. */
function answering(to: string, ...answers: Response[]): Send {
  return (request) => {
    const [next] = request.url.endsWith(to) ? answers.splice(0, 1) : [];
    return next ? Promise.resolve(next) : fetch(request);
  };
}

const busy = (status: number, body: object = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

const purchase = { type: 'Accrual', loyaltyID: 'L-1001', srcChannelType: 'POS', value: 10 };

describe('a client', () => {
  it('repeats a post with its key when the answer was lost, so that it has one effect', async () => {
    const { client, sent } = clientThrough(losing('/api/v1/activity'));
    const before = await result(client.GET('/api/v1/journal/count'));
    const answer = await result(client.POST('/api/v1/activity', { body: purchase }));
    expect(answer).toMatchObject({ result: { data: { status: 'Processed' } } });
    const keys = sent
      .filter(({ url }) => url.endsWith('/activity'))
      .map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    const after = await result(client.GET('/api/v1/journal/count'));
    expect(after.count - before.count).toBe(1);
  });

  it.each([
    ['503', busy(503, { code: 1310 })],
    ['429', busy(429, { code: 1260 })],
    ['409 for a key in flight', busy(409, { code: 1270 })],
    ['502 of a proxy', busy(502)],
  ])('repeats a request after %s', async (_, answer) => {
    const { client, pathsSent } = clientThrough(answering('/api/v1/activity', answer));
    await result(client.POST('/api/v1/activity', { body: { ...purchase, value: 1 } }));
    expect(pathsSent()).toEqual(['POST /api/v1/login', 'POST /api/v1/activity', 'POST /api/v1/activity']);
  });

  it.each([
    ['POST', '/api/v1/apikeys', { name: 'Once', permissions: ['members:read'] }, 201],
    ['POST', '/api/v1/webhooks', { url: 'https://example.com/x', events: ['points.earned'] }, 201],
    ['POST', '/api/v1/rules/check', {}, 422],
    ['POST', '/api/v1/sandbox/wipe', {}, 404],
    ['PUT', '/api/v1/sandbox/clock', { advance: { value: 1, unit: 'day' } }, 404],
  ] as const)(
    'sends %s %s once and without a key, because the service takes none',
    async (method, to, body, status) => {
      const admin = { username: server.services.users.admin.username, password: testPassword };
      const first = clientThrough(fetch, admin);
      expect(
        (await first.client.request(method.toLowerCase() as 'post', to as never, { body } as never)).response.status,
      ).toBe(status);
      const lost = clientThrough(losing(to), admin);
      await expect(lost.client.request(method.toLowerCase() as 'post', to as never, { body } as never)).rejects.toThrow(
        'closed',
      );
      for (const { sent } of [first, lost]) {
        const ofPath = sent.filter(({ url }) => url.endsWith(to));
        expect(ofPath.map(({ headers }) => headers.get('idempotency-key'))).toEqual([null]);
      }
    },
  );

  it('does not repeat a rotation of a key', async () => {
    const { client, sent } = clientThrough(answering('/rotate', busy(503, { code: 1310 })));
    const called = client.POST('/api/v1/apikeys/{id}/rotate', { params: { path: { id: '64b7f0c2a9d3e4f5a6b7c8d9' } } });
    await expect(result(called)).rejects.toMatchObject({ status: 503 });
    expect(
      sent.filter(({ url }) => url.endsWith('/rotate')).map(({ headers }) => headers.get('idempotency-key')),
    ).toEqual([null]);
  });

  it('repeats a change of a record', async () => {
    const { client, pathsSent } = clientThrough(answering('64b7f0c2a9d3e4f5a6b7c8d9', busy(503, { code: 1310 })));
    const { response } = await client.PUT('/api/v1/members/{id}', {
      params: { path: { id: '64b7f0c2a9d3e4f5a6b7c8d9' } },
      body: { firstName: 'Ada' },
    });
    expect(response.status).toBe(404);
    expect(pathsSent().filter((each) => each.startsWith('PUT'))).toHaveLength(2);
  });

  it.each([
    ['after its time limit', { timeoutMs: 200, attemptsMax: 2, pauseMs: 1 }, 0, 'TimeoutError'],
    ['when its caller aborts it', { timeoutMs: 3_600_000 }, 3, 'AbortError'],
  ])(
    'gives up a request without an answer %s, though garbage is collected meanwhile',
    async (_, retries, abortAt, name) => {
      setFlagsFromString('--expose-gc');
      const collectGarbage: () => void = runInNewContext('gc');
      let isReached = false;
      const silent = createServer(() => {
        isReached = true;
      }).listen(0, '127.0.0.1');
      await new Promise((resolve) => silent.once('listening', resolve));
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const stop = new AbortController();
      let collected = 0;
      const collecting = setInterval(() => {
        collectGarbage();
        if (isReached) collected += 1;
        if (collected === abortAt) stop.abort();
      }, 20);
      try {
        const client = createLoyaltyClient({ url, credentials: { key: 'lk_1' }, retries });
        const { signal } = stop;
        await expect(client.GET('/api/v1/programs', abortAt > 0 ? { signal } : {})).rejects.toMatchObject({ name });
      } finally {
        clearInterval(collecting);
        silent.closeAllConnections();
        silent.close();
      }
    },
    30_000,
  );

  it('ends an attempt at once when its caller aborts it', async () => {
    const stop = new AbortController();
    const { client, pathsSent } = clientThrough(async (request) => {
      if (!request.url.endsWith('/programs')) return fetch(request);
      stop.abort();
      return new Promise(() => undefined);
    });
    await expect(client.GET('/api/v1/programs', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(pathsSent().filter((each) => each.endsWith('/programs'))).toHaveLength(1);
  });

  it('ends the pause before a repetition when its caller aborts it', async () => {
    const stop = new AbortController();
    const client = createLoyaltyClient({
      url: server.url,
      credentials: { key: 'lk_1' },
      retries: { pauseMs: 3_600_000 },
      fetch: async () => {
        setImmediate(() => stop.abort());
        return busy(503);
      },
    });
    await expect(client.GET('/api/v1/programs', { signal: stop.signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('gives up after the last attempt, with the answer as an error', async () => {
    const answers = [1, 2, 3, 4, 5].map(() => busy(503, { code: 1310, message: 'overloaded', requestId: 'r-1' }));
    const { client, pathsSent } = clientThrough(answering('/api/v1/programs', ...answers));
    const error: unknown = await result(client.GET('/api/v1/programs')).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(LoyaltyError);
    expect(error).toMatchObject({ status: 503, code: 1310, message: 'overloaded', requestId: 'r-1' });
    expect(pathsSent()).toHaveLength(5);
  });

  it('does not repeat what the service refused, and names the fields', async () => {
    const { client, pathsSent } = clientThrough();
    const wrong = client.POST('/api/v1/activity', { body: { ...purchase, value: -1 } });
    await expect(result(wrong)).rejects.toMatchObject({
      name: 'LoyaltyError',
      status: 422,
      code: 1200,
      errors: [expect.objectContaining({ path: 'value', kind: 'minimum' })],
    });
    expect(pathsSent()).toEqual(['POST /api/v1/login', 'POST /api/v1/activity']);
  });

  it('logs in once for requests at once, and again when its token has ended', async () => {
    const { client, pathsSent } = clientThrough();
    await Promise.all([1, 2, 3].map(() => result(client.GET('/api/v1/programs/count'))));
    expect(pathsSent().filter((each) => each === 'POST /api/v1/login')).toHaveLength(1);
    await result(client.GET('/api/v1/myaccount/logout'));
    await result(client.GET('/api/v1/programs/count'));
    expect(pathsSent().filter((each) => each === 'POST /api/v1/login')).toHaveLength(2);
  });

  it('asks the caller for another token when its token is refused, and sends the request again', async () => {
    const { token } = server.services.users.client;
    const credentialCalls: string[] = [];
    const client = createLoyaltyClient({
      url: server.url,
      credentials: {
        present: async () => {
          credentialCalls.push('present');
          return 'ended';
        },
        renewed: async () => {
          credentialCalls.push('renewed');
          return token;
        },
      },
    });
    expect(await result(client.GET('/api/v1/programs/count'))).toEqual({ count: 1 });
    expect(credentialCalls).toEqual(['present', 'renewed']);
  });

  it('says that the password is wrong, without trying it again', async () => {
    const client = createLoyaltyClient({ url: server.url, credentials: { ...credentials, password: 'not this one' } });
    await expect(client.GET('/api/v1/programs')).rejects.toMatchObject({ status: 401, code: 1110 });
  });

  it('runs every line of code that the guide shows', async () => {
    const guide = readFileSync(path.resolve(__dirname, '../../../docs/guide.md'), 'utf8');
    const [, lines = ''] = /```ts\n([^`]*createLoyaltyClient[^`]*)```/.exec(guide) ?? [];
    const { client } = clientThrough();
    const [program] = await result(client.GET('/api/v1/programs'));
    await result(client.POST('/api/v1/members', { body: { program: program?._id ?? '', loyaltyID: 'GUIDE-1' } }));
    const own = lines.replace("'http://127.0.0.1:3000'", 'url').replace("{ key: 'lk_…' }", 'credentials');
    const names = ['createLoyaltyClient', 'result', 'url', 'credentials'];
    const run = new AsyncFunction(...names, `${own}\nreturn answer;`);
    const answer = await run(createLoyaltyClient, result, server.url, credentials);
    expect(answer).toMatchObject({ result: { data: { status: 'Processed' } } });
  });

  it('reads a list page after page, each record once', async () => {
    const { client, pathsSent } = clientThrough();
    const [program] = await result(client.GET('/api/v1/programs'));
    if (!program) throw new Error('the demo has a program');
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const body = { program: program._id, loyaltyID: `PAGE-${n}` };
      made.push((await result(client.POST('/api/v1/members', { body }))).loyaltyID);
    }
    const found: string[] = [];
    const list = (query: PageQuery) =>
      client.GET('/api/v1/members', { params: { query: { ...query, limit: 3, loyaltyID: '~^PAGE-' } } });
    for await (const { loyaltyID } of pages(list)) found.push(loyaltyID);
    expect(found).toEqual(made);
    expect(pathsSent().filter((each) => each === 'GET /api/v1/members')).toHaveLength(3);
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.from('a secret of 24 bytes or more').toString('base64')}`;
  const event = {
    id: 'e-1',
    type: 'webhook.test',
    at: '2026-11-24T00:00:00.000Z',
    program: null,
    member: null,
    data: {},
  };
  const body = JSON.stringify(event);
  const headersAt = (at: Date) => ({
    'webhook-id': event.id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(event.id, at, body),
  });

  it('returns the event of a delivery with the right signature', () => {
    expect(verifyWebhook(secret, headersAt(new Date()), body)).toEqual(event);
    expect(verifyWebhook(secret, headersAt(new Date()), Buffer.from(body))).toEqual(event);
  });

  it.each([
    ['a changed body', () => [headersAt(new Date()), `${body} `] as const],
    ['another id', () => [{ ...headersAt(new Date()), 'webhook-id': 'e-2' }, body] as const],
    ['a signature of an hour ago', () => [headersAt(new Date(Date.now() - 3_600_000)), body] as const],
    ['no headers', () => [{}, body] as const],
  ])('refuses %s', (_, made) => {
    const [headers, sent] = made();
    expect(() => verifyWebhook(secret, headers, sent)).toThrow();
  });
});
