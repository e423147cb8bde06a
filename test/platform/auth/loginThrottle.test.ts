import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { loginLimits } from '#platform/auth/loginThrottle';
import { isKnownLogin, knownLoginLimits, knownLoginResource, rememberLogin } from '#records/users/knownLogin';
import { client, type Response } from '../../support/client';
import { type ServiceProcess, startApi } from '../../support/processes';
import { openTestServer } from '../../support/server';
import { makeTestUser, testPassword } from '../../support/services';
import { untilAnswered } from '../../support/untilAnswered';

const rulesDir = mkdtempSync(path.join(tmpdir(), 'loyalty-no-rules-'));
let server: Awaited<ReturnType<typeof openTestServer>>;
beforeAll(async () => {
  server = await openTestServer({ TRUST_PROXY: 1, ORG: 'test', rulesDir });
});
afterAll(async () => {
  await server.close();
  rmSync(rulesDir, { recursive: true });
});
beforeEach(() => forgetCounts());

/** Deletes all counters, as if their windows had ended. */
async function forgetCounts(): Promise<void> {
  const { redis, config } = server.services;
  const keys = await redis.keys(`${config.REDIS_PREFIX}:login:*`);
  if (keys.length > 0) await redis.unlink(keys);
}

function logIn(username: string, password: string, address = '192.0.2.1', url = server.url): Promise<Response> {
  return client(url).post('/login', { username, password }, { headers: { 'x-forwarded-for': address } });
}

/** A busy machine answered 503, and it is not known whether the attempt was counted. */
class Busy extends Error {
  override readonly name = 'Busy';
}

/** A test whose counts must be exact. When an attempt is answered with 503, all counts are forgotten and it begins anew. */
function countingTest(name: string, work: () => Promise<void>): void {
  const attempt = async (): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Busy) return false;
      throw error;
    }
  };
  test(name, async () => {
    while (!(await attempt())) await forgetCounts();
  });
}

/** Logs in, in a {@link countingTest}. */
async function logInOnce(...attempt: Parameters<typeof logIn>): Promise<Response> {
  const answer = await logIn(...attempt);
  if (answer.status === 503) throw new Busy();
  return answer;
}

async function fail(username: string, times: number, address?: string): Promise<void> {
  for (let n = 0; n < times; n += 1) expect((await logInOnce(username, 'wrong', address)).status).toBe(401);
}

function atOnce(times: number, send: (n: number) => Promise<Response>): Promise<Response[]> {
  return Promise.all(Array.from({ length: times }, (_, n) => send(n)));
}

function numberOf(answers: Response[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

function newUser(username: string) {
  return makeTestUser(server.services, server.services.org, username, ['reader']);
}

/** Makes a user, unless an earlier test or attempt has made it. */
async function knownUser(username: string): Promise<void> {
  await newUser(username).catch(() => undefined);
}

describe('after 10 failures of a username', () => {
  countingTest('even the right password answers 429, until the 15 minutes are over', async () => {
    await knownUser('guessed');
    await fail('guessed', 10);
    const right = await logInOnce('guessed', testPassword);
    const wrong = await logInOnce('guessed', 'wrong');
    expect(right).toBeRefused(429, 1260);
    expect({ ...right.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    for (const { headers } of [right, wrong]) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(loginLimits.windowSeconds - 120);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(loginLimits.windowSeconds);
    }
    await forgetCounts();
    expect((await logInOnce('guessed', testPassword)).status).toBe(200);
  });

  countingTest('an unknown username is refused as a known one is, and others log in as ever', async () => {
    await fail('phantom', 10);
    expect((await logInOnce('phantom', 'x')).status).toBe(429);
    expect((await logInOnce('reader@test', testPassword)).status).toBe(200);
  });

  countingTest('whoever logged in from an address before still does, with 10 failures of his own', async () => {
    await knownUser('regular');
    expect((await logInOnce('regular', testPassword, '192.0.2.7')).status).toBe(200);
    await fail('regular', 10, '203.0.113.5');
    expect((await logInOnce('regular', testPassword, '203.0.113.5')).status).toBe(429);
    expect((await logInOnce('regular', testPassword, '192.0.2.8')).status).toBe(429);
    expect((await logInOnce('regular', testPassword, '192.0.2.7')).status).toBe(200);
    await fail('regular', 10, '192.0.2.7');
    expect((await logInOnce('regular', testPassword, '192.0.2.7')).status).toBe(429);
  });

  countingTest('logins that succeed are no failures, and take none of them away', async () => {
    await knownUser('busy');
    for (let n = 0; n < 12; n += 1) expect((await logInOnce('busy', testPassword)).status).toBe(200);
    await fail('busy', 9);
    for (let n = 0; n < 3; n += 1) expect((await logInOnce('busy', testPassword)).status).toBe(200);
    await fail('busy', 1);
    expect((await logInOnce('busy', testPassword)).status).toBe(429);
  });

  countingTest('what was refused is not counted: the address is as free as before', async () => {
    await fail('locked', 10, '198.51.100.1');
    for (let round = 0; round < 5; round += 1) {
      const answers = await atOnce(20, () => logInOnce('locked', 'wrong', '198.51.100.1'));
      expect(numberOf(answers, 429)).toBe(20);
    }
    expect((await logInOnce('reader@test', testPassword, '198.51.100.1')).status).toBe(200);
  });
});

countingTest('after 100 failures of an address it is refused, whatever name and password, and no other', async () => {
  const { logins } = server.services;
  for (let n = 0; n < 98; n += 1) {
    await logins.count({ username: `name ${n}`, network: '198.51.100.2', isKnown: false });
  }
  await fail('one more', 2, '198.51.100.2');
  expect((await logInOnce('reader@test', testPassword, '198.51.100.2')).status).toBe(429);
  expect((await logInOnce('reader@test', testPassword, '198.51.100.3')).status).toBe(200);
  // Attempts from a refused address do not count against a username.
  for (let n = 0; n < 15; n += 1) expect((await logInOnce('admin@test', 'wrong', '198.51.100.2')).status).toBe(429);
  expect((await logInOnce('admin@test', testPassword, '198.51.100.4')).status).toBe(200);
});

describe('100 guesses at once at two processes', () => {
  // The first process is the test's own server.
  let other: ServiceProcess & { url: string };
  beforeAll(async () => {
    other = await startApi(server.services.config);
  });
  afterAll(() => other.kill());
  const at = (n: number) => (n % 2 === 0 ? server.url : other.url);
  const guess = (username: string, rightAt: number | undefined) =>
    atOnce(100, (n) => logIn(username, n === rightAt ? testPassword : `guess ${n}`, `10.0.0.${n}`, at(n)));

  /** Fails at most so often, until a limit is reached. Attempts that were counted and then answered with 503 are less. */
  async function failUntilRefused(username: string, most: number): Promise<void> {
    for (let n = 0; n < most; n += 1) {
      const { status } = await untilAnswered(() => logIn(username, 'wrong', '10.1.0.2'));
      if (status === 429) return;
      expect(status).toBe(401);
    }
  }

  test.each([
    ['of a user, the right one last', 'burst', 99],
    ['of a user, the right one first', 'burst', 0],
    ['of a user, none right', 'burst', undefined],
    ['of nobody', 'nobody-burst', undefined],
  ])('%s: at most 10 failures are checked, and all others answer 429', async (_name, username, rightAt) => {
    if (username === 'burst') {
      await collectionOf(server.services.db, knownLoginResource).deleteMany({});
      await knownUser('burst');
    }
    const answers = await guess(username, rightAt);
    expect(numberOf(answers, 401)).toBeLessThanOrEqual(10);
    expect(numberOf(answers, 200)).toBeLessThanOrEqual(rightAt === undefined ? 0 : 1);
    // On a slow machine some requests wait too long for a slot. They get 503 before they are counted or verified.
    const refused = numberOf(answers, 429) + numberOf(answers, 503);
    expect(numberOf(answers, 401) + numberOf(answers, 200) + refused).toBe(100);
    await failUntilRefused(username, 10 - numberOf(answers, 401));
    const later = await atOnce(2, (n) => untilAnswered(() => logIn(username, testPassword, '10.1.0.1', at(n))));
    expect(later.map(({ status }) => status)).toEqual([429, 429]);
  });

  test('40 logins at once with the right password succeed or are refused for now, and lock nobody', async () => {
    await knownUser('crowd');
    const answers = await atOnce(40, (n) => logIn('crowd', testPassword, '10.2.0.1', at(n)));
    expect(numberOf(answers, 200) + numberOf(answers, 503)).toBe(40);
    expect((await untilAnswered(() => logIn('crowd', testPassword, '10.2.0.2'))).status).toBe(200);
  });
});

test('without Redis each process counts for itself, and logins work', async () => {
  const away = await openTestServer({ REDIS_URL: 'redis://127.0.0.1:1' });
  const post = (username: string, password: string) => client(away.url).post('/login', { username, password });
  for (let n = 0; n < 10; n += 1) expect((await post('reader@test', 'wrong')).status).toBe(401);
  expect((await post('reader@test', testPassword)).status).toBe(429);
  expect((await post('admin@test', testPassword)).status).toBe(200);
  await away.close();
});

describe('the memory of logins', () => {
  const user = () => ({ _id: new ObjectId(), org: new ObjectId() });

  test('has a user together with a network, without the address itself', async () => {
    const { db } = server.services;
    const [one, other] = [user(), user()];
    await rememberLogin(db, one, '192.0.2.55', new Date());
    await rememberLogin(db, one, '192.0.2.55', new Date());
    expect(await isKnownLogin(db, one._id, '192.0.2.55')).toBe(true);
    expect(await isKnownLogin(db, one._id, '192.0.2.56')).toBe(false);
    expect(await isKnownLogin(db, other._id, '192.0.2.55')).toBe(false);
    const stored = await collectionOf(db, knownLoginResource).find({ user: one._id }).toArray();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain('192.0.2.55');
  });

  test('is bounded to the latest networks of a user', async () => {
    const { db } = server.services;
    const roaming = user();
    const { ofUserMax } = knownLoginLimits;
    for (let n = 0; n < ofUserMax + 3; n += 1) {
      await rememberLogin(db, roaming, `network ${n}`, new Date(Date.UTC(2026, 0, 1, 0, 0, n)));
    }
    expect(await collectionOf(db, knownLoginResource).countDocuments({ user: roaming._id })).toBe(ofUserMax);
    expect(await isKnownLogin(db, roaming._id, 'network 2')).toBe(false);
    expect(await isKnownLogin(db, roaming._id, 'network 3')).toBe(true);
  });

  test('ends with the user', async () => {
    const { services } = server;
    const { principal } = await newUser('leaving');
    const remembered = () => collectionOf(services.db, knownLoginResource).countDocuments({ user: principal.userId });
    expect((await logIn('leaving', testPassword)).status).toBe(200);
    expect(await remembered()).toBe(1);
    await server.as('admin').delete(`/users/${principal.userId.toHexString()}`);
    expect(await remembered()).toBe(0);
  });
});
