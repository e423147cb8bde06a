import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '#platform/infrastructure/config';
import { secretSettings, settings } from '#platform/infrastructure/settings';
import { readComposeFile } from './composeFile';

const root = path.resolve(__dirname, '../..');
const { services, secrets, volumes } = readComposeFile();
const { api, worker } = services;
const monitoring = ['prometheus', 'grafana'];

/** Settings of private servers, which containers have not. */
const ofPrivateServers = ['MONGOD_BINARY', 'REDIS_SERVER_BINARY', 'XDG_CACHE_HOME', 'PATH', 'DATA_DIR'];
/** Settings that the containers fix, because they are places in the containers. */
const fixed = { HOST: '0.0.0.0', PORT: 3000, WORKER_PORT: 3001, RULES_DIR: '/app/rules' };
/** Settings that only one of the two processes has. */
const ofApi = [
  'PORT',
  'PEER_HOST',
  'PEER_PORT',
  'ADMIN_USERNAME',
  'ADMIN_PASSWORD',
  'DEMO',
  'TOKEN_TTL',
  'RATE_LIMIT',
  'CORS_ORIGINS',
  ...Object.keys(settings.properties).filter((name) => name.startsWith('OIDC_')),
];
const ofWorker = ['WORKER_PORT', 'WORKER_CONCURRENCY'];

const names = Object.keys(settings.properties).filter((name) => !ofPrivateServers.includes(name));
const isSecret = (name: string) => (secretSettings as readonly string[]).includes(name);
const variable = (name: string) => (isSecret(name) ? `${name}_FILE` : name);

test.each([
  ['api', api, ofWorker],
  ['worker', worker, ofApi],
] as const)('the %s has every setting that it uses, secrets in files, and no other', (_name, service, others) => {
  const own = names.filter((name) => !(others as readonly string[]).includes(name));
  expect(Object.keys(service.environment).sort()).toEqual(own.map(variable).sort());
});

test('a setting that is absent has its default', () => {
  const input = { ...api.environment, ...worker.environment };
  for (const [name, { default: byDefault }] of Object.entries(settings.properties)) {
    const expected = Object.hasOwn(fixed, name)
      ? fixed[name as keyof typeof fixed]
      : (byDefault ?? (name === 'DEMO' ? 'off' : ''));
    if (input[name] !== undefined) expect([name, String(input[name])]).toEqual([name, String(expected)]);
  }
});

test.each(names.filter((name) => !isSecret(name) && !Object.hasOwn(fixed, name)))('%s is passed on', (name) => {
  const passed = readComposeFile({ [name]: 'as given' }).services;
  const seen = [passed.api, passed.worker].map(({ environment }) => environment[name]);
  expect([...new Set(seen.filter((each) => each !== undefined))]).toEqual(['as given']);
});

test('RULES_DIR and PORT are the mounted folder and the published port of the host', () => {
  expect([api.volumes, worker.volumes]).toEqual([['./rules:/app/rules:ro'], ['./rules:/app/rules:ro']]);
  expect(api.ports).toEqual(['127.0.0.1:3000:3000']);
  const other = readComposeFile({ RULES_DIR: '/srv/rules', PORT: '8080', BIND_ADDRESS: '0.0.0.0' }).services;
  expect(other.worker.volumes).toEqual(['/srv/rules:/app/rules:ro']);
  expect(other.api.ports).toEqual(['0.0.0.0:8080:3000']);
});

test.each(Object.entries(services))('%s is bounded, hardened, restarted and checked', (_name, service) => {
  expect(service).toMatchObject({
    init: true,
    restart: 'unless-stopped',
    read_only: true,
    cap_drop: ['ALL'],
    tmpfs: ['/tmp'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: expect.stringMatching(/^\d+g$/),
    stop_grace_period: expect.stringMatching(/^\d+s$/),
    logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } },
    healthcheck: { test: expect.any(Array), timeout: expect.any(String), start_period: '60s' },
  });
});

test('no container runs as root, and only the API and its monitoring are published', () => {
  expect(readFileSync(path.join(root, 'Dockerfile'), 'utf8')).toMatch(/^USER node$/m);
  const { mongo, redis, prometheus, grafana } = services;
  expect([mongo, redis, prometheus, grafana].map(({ user }) => user)).toEqual(['mongodb', 'redis', 'nobody', '472']);
  expect(Object.entries(services).flatMap(([name, { ports }]) => (ports ? [name] : []))).toEqual([
    'api',
    ...monitoring,
  ]);
  expect([...(prometheus.ports ?? []), ...(grafana.ports ?? [])]).toEqual([
    '127.0.0.1:9090:9090',
    '127.0.0.1:3030:3000',
  ]);
});

test('Prometheus and Grafana start only with the profile monitoring, and have every configured file', () => {
  const withProfile = Object.entries(services).filter(([, { profiles }]) => profiles);
  expect(withProfile.map(([name, { profiles }]) => [name, profiles])).toEqual(
    monitoring.map((name) => [name, ['monitoring']]),
  );
  const { prometheus, grafana } = services;
  const mounted = [...prometheus.volumes, ...grafana.volumes].filter((each) => each.startsWith('./'));
  expect(mounted.filter((each) => !existsSync(path.join(root, each.split(':')[0] ?? '')))).toEqual([]);
  expect(mounted.every((each) => each.endsWith(':ro'))).toBe(true);
  const inContainers = mounted.map((each) => each.split(':')[1]);
  const { rule_files: rules } = parse(readFileSync(path.join(root, 'monitoring/prometheus.yml'), 'utf8'));
  expect(inContainers).toEqual(expect.arrayContaining([...rules, '/etc/prometheus/prometheus.yml']));
  expect(inContainers).toContain(grafana.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH);
  expect(prometheus.secrets).toEqual(['metrics_token']);
});

test('every image has an exact version of a current release', () => {
  const [, node] = /^FROM node:(\d+)\.\d+\.\d+-/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  expect(Number(node)).toBeGreaterThanOrEqual(24);
  expect(services.mongo.image).toMatch(/^mongo:8\.\d+\.\d+@/);
  expect(services.prometheus.image).toMatch(/^prom\/prometheus:v3\.\d+\.\d+@/);
  expect(services.grafana.image).toMatch(/^grafana\/grafana:12\.\d+\.\d+@/);
  expect(services.redis.image).toMatch(/^redis:8\.\d+\.\d+-/);
});

test('every image that is not built here is named by its digest', () => {
  const named = Object.values(services).map(({ image }) => image);
  const [, base] = /^FROM (node:\S+) AS base$/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8')) ?? [];
  const foreign = [...named.filter((image) => image !== 'loyalty-engagement-service'), base];
  expect(foreign.length).toBeGreaterThan(4);
  for (const image of foreign) expect(image).toMatch(/^[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
});

test('the image takes no rule files, and no build lets them in', () => {
  for (const file of ['Dockerfile', '.dockerignore'])
    expect(readFileSync(path.join(root, file), 'utf8')).not.toMatch(/^(?:COPY rules|!rules)/m);
});

describe('secrets', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8').trim();
  const make = () =>
    execFileSync(path.join(root, 'compose/make-secrets'), {
      env: { PATH: process.env.PATH, SECRETS_DIR: folder },
      encoding: 'utf8',
    });

  test('are made once, for their containers to read and for nobody else', () => {
    expect(make().trim().split('\n')).toHaveLength(8);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(secrets).sort());
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o444);
    const before = Object.keys(secrets).map(read);
    expect(new Set(before).size).toBe(before.length);
    expect(make()).toBe('');
    expect(Object.keys(secrets).map(read)).toEqual(before);
  });

  test('are values that the settings accept', () => {
    const environment = Object.fromEntries(secretSettings.map((name) => [name, read(name.toLowerCase())]));
    expect(readConfig(environment)).toMatchObject(environment);
  });

  test('reach only the containers that use them, so the worker does not get the password of the admin', () => {
    for (const { environment = {}, secrets: input } of [api, worker]) {
      const used = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? []);
      expect([...input].sort()).toEqual(used.sort());
    }
    expect(worker.secrets).not.toContain('admin_password');
    expect(services.mongo.secrets).toEqual(['mongodb_key', 'mongodb_uri']);
    expect(services.redis.secrets).toEqual(['redis_url']);
    for (const [name, { file }] of Object.entries(secrets)) expect(file).toBe(`./secrets/${name}`);
    expect(readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n')).toContain('secrets/');
  });
});

test('the data of the stores is in named volumes', () => {
  const named = [services.mongo, services.redis, services.prometheus].map(
    ({ volumes: [first = ''] }) => first.split(':')[0],
  );
  expect(named).toEqual(Object.keys(volumes));
});
