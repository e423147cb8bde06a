import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { client } from '../../support/client';
import { testStores } from '../../support/stores';

const root = path.join(__dirname, '../../..');
const stores = testStores();
afterAll(() => stores.drop());

/** Starts an API process with exactly this environment. */
function startApi(environment: Record<string, string>) {
  const args = ['-r', './test/support/registerTypeScript.cjs', 'src/server/main.ts'];
  const child = spawn(process.execPath, args, { cwd: root, env: { LOG_LEVEL: 'silent', PORT: '0', ...environment } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, output, ended };
}

const complete = {
  MONGODB_URI: stores.mongodbUri,
  REDIS_URL: stores.redisUrl,
  REDIS_PREFIX: stores.redisPrefix,
  RULES_DIR: '/nonexistent',
  JWT_SECRET: 'test key of 32 bytes or more, not secret',
  ADMIN_PASSWORD: 'the first password',
};

test('every missing or invalid setting is named in a line of its own, and the exit code is 1', async () => {
  const missing = startApi({});
  expect(await missing.ended).toBe(1);
  expect(
    missing.output.stderr
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['MONGODB_URI', 'REDIS_URL', 'JWT_SECRET']);
  const bad = startApi({ ...complete, PORT: '99999', TOKEN_TTL: 'soon' });
  expect(await bad.ended).toBe(1);
  expect(bad.output.stderr).toMatch(/^PORT .*\nTOKEN_TTL .*\n$/);
});

test('an empty database needs a password for the first user', async () => {
  const { ADMIN_PASSWORD: _none, ...rest } = complete;
  const { output, ended } = startApi(rest);
  expect(await ended).toBe(1);
  expect(output.stderr).toMatch(/^ADMIN_PASSWORD is required[^\n]*\n$/);
});

test('the process makes the first org and, with DEMO=on, the demo program; it prints its URL, serves, and ends with 0 on SIGTERM', async () => {
  const { child, output, ended } = startApi({ ...complete, DEMO: 'on' });
  while (!output.stdout.includes('\n')) await once(child.stdout, 'data');
  const [url = ''] = /http:\/\/\S+/.exec(output.stdout) ?? [];
  const credentials = { username: 'admin', password: complete.ADMIN_PASSWORD };
  const login = await client(url).post('/login', credentials);
  expect(login.status).toBe(200);
  const { body: members } = await client(url, login.body.token).get('/members?loyaltyID=L-1001');
  expect(members).toMatchObject([{ loyaltyID: 'L-1001' }]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output.stderr).toBe('');
});
