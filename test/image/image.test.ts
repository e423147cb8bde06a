import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, client } from '../support/client';
import { earnRule } from '../support/world';
import { readComposeFile } from './composeFile';
import { type ContainerPlace, type RunningService, startService } from './composeService';
import { type ComposeStores, startComposeStores } from './composeStores';
import { type ImageForm, makeImageForm } from './imageForm';
import { imageNode, imageNodeVersion } from './imageNode';

/** Makes what the image holds, and runs the services of docker-compose.yml from it, with rules of one's own. */
const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-image-'));
const secret = (name: string) => readFileSync(path.join(folder, 'secrets', name), 'utf8').trim();
let stores: ComposeStores | undefined;
let image: ImageForm;
let api: RunningService | undefined;
let worker: RunningService | undefined;
let admin: Client;

beforeAll(async () => {
  const compose = readComposeFile({ ORG: 'acme', SCHEDULE_AGGREGATES: '1 second' });
  for (const each of ['image', 'tmp', 'rules/shop']) mkdirSync(path.join(folder, each), { recursive: true });
  writeFileSync(path.join(folder, 'rules/shop/earn.json'), JSON.stringify(earnRule));
  // The shipped demo stays beside one's own rules, without its program.
  cpSync(path.join(root, 'rules/demo'), path.join(folder, 'rules/demo'), { recursive: true });
  execFileSync(path.join(root, 'compose/make-secrets'), { env: { ...process.env, SECRETS_DIR: `${folder}/secrets` } });
  const node = imageNode();
  const starting = startComposeStores(compose, folder).then((started) => {
    stores = started;
  });
  const making = makeImageForm(path.join(folder, 'image'), node);
  // Nothing may still be under way when one of them fails: the folder is removed then.
  await Promise.allSettled([making, starting]);
  [image] = await Promise.all([making, starting]);
  const place: ContainerPlace = { image, secrets: `${folder}/secrets`, rules: `${folder}/rules`, node };
  api = await startService(compose.services.api, place);
  worker = await startService(compose.services.worker, place);
  const login = await client(api.url).post('/login', { username: 'admin', password: secret('admin_password') });
  admin = client(api.url, login.body.token);
}, 400_000);
afterAll(async () => {
  const codes = [await api?.stop(), await worker?.stop()];
  await stores?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  expect(codes).toEqual([0, 0]);
});

function running(service: RunningService | undefined): RunningService {
  if (!service) throw new Error('the service was not started');
  return service;
}

test('the image runs the Node that it names, and has no sources, rules or tools', async () => {
  const { text } = await running(api).exec('node --version');
  expect(text.trim()).toBe(`v${imageNodeVersion()}`);
  expect(Number(text.slice(1, 3))).toBeGreaterThanOrEqual(24);
  expect(readdirSync(image.app).sort()).toEqual(
    ['.npmrc', 'dist', 'node_modules', 'package-lock.json', 'package.json', 'rules'].sort(),
  );
  expect(readdirSync(path.join(image.app, 'rules'))).toEqual([]);
  expect(readdirSync(path.join(image.app, 'node_modules'))).not.toContain('typescript');
});

test('both services pass their health check, and the worker shows metrics for the token', async () => {
  expect(await Promise.all([running(api).checkHealth(), running(worker).checkHealth()])).toEqual([0, 0]);
  const metrics = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}`, 'X-Forwarded-For': '203.0.113.7' };
    return (await fetch(`${running(worker).url}/metrics`, { headers })).status;
  };
  expect([await metrics(secret('metrics_token')), await metrics('another')]).toEqual([200, 401]);
});

test('the image has the pages of the documentation', async () => {
  for (const at of ['/docs', '/docs/scalar.js', '/docs/guide']) {
    expect([at, (await fetch(`${running(api).url}${at}`)).status]).toEqual([at, 200]);
  }
  expect(readdirSync(path.join(image.app, 'node_modules'))).not.toContain('@scalar');
});

test('the image has the built console without the tools that build it', async () => {
  const page = await fetch(`${running(api).url}/console/`);
  const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
  expect([page.status, (await fetch(`${running(api).url}${script}`)).status]).toEqual([200, 200]);
  const packages = readdirSync(path.join(image.app, 'node_modules'));
  for (const name of ['react', 'vite', '@mui']) expect(packages).not.toContain(name);
});

test('an activity earns by the rules of the mounted folder, now and through the worker', async () => {
  const { body: program } = await admin.post('/programs', { code: 'shop', name: 'Shop' });
  await admin.post('/pursepolicies', { name: 'Points', program: program._id, primary: true });
  expect((await admin.post('/refreshcache?entity=Rule')).body).toEqual({ status: 'success' });
  const { body: member } = await admin.post('/members', { program: program._id });
  const purchase = { type: 'Accrual', memberID: member._id, value: 120 };
  const { body: now } = await admin.post('/activity', purchase);
  expect(now).toMatchObject({ result: { errors: [], data: { status: 'Processed' } } });
  expect(now.member.purses).toMatchObject([{ name: 'Points', availBalance: 120 }]);
  const { status, body: later } = await admin.post('/activity?async=true', purchase);
  expect(status).toBe(202);
  const settled = async () => (await admin.get(`/activity/status/${later.externalTxnId}`)).body.status;
  while (['Queued', 'Processing'].includes(await settled())) await sleep(50);
  expect(await settled()).toBe('Processed');
  expect((await admin.get(`/members/${member._id}/purses`)).body).toMatchObject([{ availBalance: 240 }]);
});

test('the commands that docs/commands.md shows work in the container', async () => {
  const page = readFileSync(path.join(root, 'docs/commands.md'), 'utf8');
  const lines = [...page.matchAll(/^docker compose exec (?:-T )?api (.+)$/gm)].map(([, line = '']) => line);
  const named = lines.map((line) => /npm run --silent (\w+)/.exec(line)?.[1]);
  expect([...new Set(named)].sort()).toEqual(['orgs', 'reconcile', 'rules', 'seed', 'users']);
  writeFileSync(path.join(folder, 'password'), 'a long password\n');
  for (const line of lines) {
    const { code, text } = await running(api).exec(line.replace('password.txt', path.join(folder, 'password')));
    const isFine = code === 0 && !/not found|npm (?:warn|error)/i.test(text);
    expect({ line, isFine, text }).toEqual({ line, isFine: true, text });
  }
}, 200_000);

test('a command names a bad setting in one line', async () => {
  const { code, text } = await running(api).exec('JWT_SECRET_FILE=/nowhere npm run --silent users -- list');
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(/^JWT_SECRET_FILE \/nowhere cannot be read: ENOENT[^\n]*\n$/),
  ]);
});

test('neither process logs an error or a warning, or any secret', async () => {
  const written = `${running(api).output()}${running(worker).output()}`;
  const lines = written.split('\n').filter((line) => line.startsWith('{'));
  const severe = lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
  // Each process read the rule files once before the program was made.
  expect(severe.filter(({ msg }) => !/rule files/.test(msg))).toEqual([]);
  const secrets = readdirSync(path.join(folder, 'secrets')).map(secret);
  expect(secrets.filter((each) => written.includes(each))).toEqual([]);
});
