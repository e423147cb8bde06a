import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, readConfig, settings } from '../../src/backing/config';

/** Settings that belong to the machine, not to the service. The README does not list them. */
const ofTheMachine = ['PATH', 'XDG_CACHE_HOME'];

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
  ['SCHEDULE_DAYCHANGE', '0 minutes'],
  ['DEMO', 'maybe'],
])('%s=%s is named in one line', (name, value) => {
  expect(linesOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
});

test('every bad setting has a line of its own, and secrets are not repeated', () => {
  const lines = linesOf({ PORT: 'x', JWT_SECRET: 'hunter2', LOG_LEVEL: 'y' });
  expect(lines).toHaveLength(3);
  expect(lines.join('\n')).not.toContain('hunter2');
});

test('the README lists every setting with its default and meaning', () => {
  const readme = readFileSync(path.resolve(__dirname, '../../README.md'), 'utf8');
  const rows = Object.entries(settings.properties)
    .filter(([name]) => !ofTheMachine.includes(name))
    .map(([name, { default: given, description }]) => {
      const shown = given === undefined || given === '' ? 'unset' : `\`${given}\``;
      return `| \`${name}\` | ${shown} | ${description} |`;
    });
  for (const row of rows) expect(readme).toContain(row);
});
