import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError, readConfig } from '#platform/infrastructure/config';
import { secretSettings } from '#platform/infrastructure/settings';

function linesOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

test('an empty environment gives the documented defaults', () => {
  expect(readConfig({})).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    ORG: 'demo',
    TOKEN_TTL: 3600,
    bodyMaxBytes: 1_048_576,
    dayChangeEveryMs: 60_000,
    aggregatesEveryMs: 10_000,
    dataDir: path.resolve('data'),
    rulesDir: path.resolve('rules'),
  });
});

test('a setting that is empty counts as not set', () => {
  expect(readConfig({ PORT: '' }).PORT).toBe(3000);
});

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['MONGODB_URI', 'localhost:27017'],
  ['REDIS_URL', 'localhost'],
  ['JWT_SECRET', 'short'],
  ['TOKEN_TTL', '1'],
  ['ADMIN_PASSWORD', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['BODY_LIMIT', '1 gigabyte'],
  ['BODY_LIMIT', '17mb'],
  ['IMPORT_MAX_MB', '2049'],
  ['IMPORT_MAX_MB', '0'],
  ['SCHEDULE_DAYCHANGE', '0 minutes'],
  ['DEMO', 'maybe'],
])('%s=%s is named in one line', (name, value) => {
  expect(linesOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
});

test('every invalid setting has a line of its own, and secrets are not repeated', () => {
  const lines = linesOf({ PORT: 'x', JWT_SECRET: 'hunter2', LOG_LEVEL: 'y' });
  expect(lines).toHaveLength(3);
  expect(lines.join('\n')).not.toContain('hunter2');
});

describe('the sign-in at an OpenID provider', () => {
  const whole = {
    OIDC_ISSUER: 'https://sso.example.com/realms/staff',
    OIDC_CLIENT_ID: 'loyalty',
    OIDC_CLIENT_SECRET: 'hunter2 and more',
    OIDC_ROLE_MAP: 'a=reader, b = client,a=client',
  };

  test('is off without an issuer, and maps values to roles with one', () => {
    expect(readConfig({ OIDC_CLIENT_ID: 'loyalty' }).oidc).toBeUndefined();
    expect(readConfig(whole).oidc).toMatchObject({
      redirectUri: 'http://127.0.0.1:3000/api/v1/login/oidc/callback',
      roleMap: new Map([
        ['a', ['reader', 'client']],
        ['b', ['client']],
      ]),
      rolesClaim: 'roles',
      scopes: 'openid profile email',
    });
  });

  test.each([
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://sso.example.com' }],
    ['OIDC_ISSUER', { OIDC_ISSUER: 'http://localhost.example.com/' }],
    ['OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
    ['OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: '' }],
    ['OIDC_REDIRECT_URI', { OIDC_REDIRECT_URI: 'https://loyalty.example.com/' }],
    ['OIDC_REDIRECT_URI', { HOST: '0.0.0.0' }],
    ['OIDC_ROLE_MAP', { OIDC_ROLE_MAP: '' }],
    ['OIDC_ROLE_MAP', { OIDC_ROLE_MAP: 'a=root' }],
    ['OIDC_ROLE_MAP', { OIDC_ROLE_MAP: 'a' }],
    ['OIDC_ROLE_MAP', { OIDC_ROLE_MAP: '=reader' }],
    ['OIDC_SCOPES', { OIDC_SCOPES: 'profile' }],
    ['OIDC_ROLES_CLAIM', { OIDC_ROLES_CLAIM: 'x'.repeat(201) }],
  ])('is refused with a line that names %s when given %j', (name, input) => {
    const lines = linesOf({ ...whole, ...input });
    expect(lines).toEqual([expect.stringContaining(name)]);
    expect(lines.join()).not.toContain('hunter2');
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const fileWith = (text: string) => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };
  /** A value that each secret setting accepts. */
  const fitting = (name: string) =>
    ({ MONGODB_URI: 'mongodb://u:hunter2@a/b', REDIS_URL: 'redis://:hunter2@a' })[name] ??
    'hunter2 and as much more as it takes';

  test.each(secretSettings)('is read by %s_FILE as %s, without the line feed at its end', (name) => {
    for (const end of ['', '\n', '\r\n']) {
      expect(readConfig({ [`${name}_FILE`]: fileWith(`${fitting(name)}${end}`) })[name]).toBe(fitting(name));
    }
  });

  test.each(secretSettings)('by both %s and %s_FILE is refused, without either value', (name) => {
    const input = { [name]: fitting(name), [`${name}_FILE`]: fileWith(fitting(name)) };
    expect(linesOf(input)).toEqual([`${name}_FILE and ${name} are both set; set one of them`]);
  });

  test.each(secretSettings)('that is an invalid value of %s_FILE is named by its setting, and not repeated', (name) => {
    expect(linesOf({ [`${name}_FILE`]: fileWith('hunter2') })).toEqual([expect.stringMatching(`^${name} must`)]);
    expect(linesOf({ [`${name}_FILE`]: fileWith('hunter2') }).join()).not.toContain('hunter2');
  });

  test('that is missing is named with the reason, beside all other invalid settings', () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const absent = path.join(folder, 'absent');
    const input = { JWT_SECRET_FILE: absent, REDIS_URL_FILE: folder, METRICS_TOKEN_FILE: pipe, PORT: 'http' };
    expect(linesOf(input)).toEqual([
      `REDIS_URL_FILE ${folder} cannot be read: it is not a file`,
      expect.stringContaining(`JWT_SECRET_FILE ${absent} cannot be read: ENOENT`),
      `METRICS_TOKEN_FILE ${pipe} cannot be read: it is not a file`,
      expect.stringMatching(/^PORT must/),
    ]);
    expect(linesOf({ MONGODB_URI_FILE: fileWith('\n') })).toEqual([
      expect.stringMatching(/^MONGODB_URI_FILE .*empty$/),
    ]);
    expect(linesOf({ MONGODB_URI_FILE: fileWith('x'.repeat(65_537)) })).toEqual([
      expect.stringContaining('65537 bytes'),
    ]);
  });

  test('is possible for secrets only, and an empty path counts as not set', () => {
    expect(readConfig({ ORG_FILE: fileWith('acme'), JWT_SECRET_FILE: '' })).toMatchObject({ ORG: 'demo' });
  });

  test('is described on the pages of settings', () => {
    for (const page of ['docs/settings.md', 'docs/design/running.md']) {
      const text = readFileSync(path.resolve(__dirname, '../../..', page), 'utf8');
      expect(secretSettings.filter((name) => !text.includes(`\`${name}_FILE\``))).toEqual([]);
    }
  });
});
