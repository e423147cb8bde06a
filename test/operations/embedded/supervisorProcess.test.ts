import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { supervise } from '#operations/embedded/supervise';

let directory: string;
let logFile: string;
let printed: string;
let stopServers: () => Promise<unknown>;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'loyalty-log-'));
  logFile = path.join(directory, 'mongod.log');
  printed = path.join(directory, 'printed');
  writeFileSync(printed, '');
});
afterEach(async () => {
  await stopServers();
  rmSync(directory, { recursive: true });
});

function line(ctx: string, msg: string, attr?: unknown): string {
  const head = { t: { $date: '2026-01-01T00:00:00.000+00:00' }, s: 'I', c: 'COMMAND', id: 1, ctx, msg };
  return JSON.stringify(attr === undefined ? head : { ...head, attr });
}

/** Runs a server that prints the lines from a file and follows that file. Returns the logged lines. */
async function logged(lines: string[]): Promise<string[]> {
  writeFileSync(printed, [...lines, 'ready', ''].join('\n'));
  const args = ['-n', '+1', '-f', printed];
  const program = { name: 'mongod', binary: 'tail', args, logFile, readyText: 'ready' };
  stopServers = await supervise(directory, [program], () => undefined);
  return readFileSync(logFile, 'utf8').split('\n').slice(0, -2);
}

test('the log keeps lines about start and end, other lines without attributes, and foreign lines unchanged', async () => {
  const lines = [
    line('initandlisten', 'Build Info', { version: '6.0' }),
    line('conn7', 'Slow query', { command: { filter: { email: 'a@b.c' } } }),
    line('conn7', 'Ended'),
    'Error parsing command line: unrecognised option',
    '',
  ];
  expect(await logged(lines)).toEqual([lines[0], line('conn7', 'Slow query'), lines[2], lines[3], '']);
  expect(statSync(logFile).mode & 0o777).toBe(0o600);
});

test('whatever clients send, none of it is kept, and every line is still JSON', async () => {
  const tricky = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      '"ctx":"main"',
      ',"attr":',
      '%s\\n',
      '$(id)',
      '\\',
      '\u0000',
      'ctx',
      '-n',
      '\u2028MARK',
      '\u0085MARK',
    ),
  );
  const values = fc.sample(fc.dictionary(tricky, tricky, { minKeys: 1, maxKeys: 4 }), 200);
  const lines = values.map((attr) =>
    line('conn1', 'Plan executor error', { ...attr, cmd: { ctx: 'main', mark: 'MARK' } }),
  );
  expect(await logged(lines)).toEqual(lines.map(() => line('conn1', 'Plan executor error')));
});

test('the log file can be rotated at any time', async () => {
  await logged([line('main', 'before')]);
  renameSync(logFile, `${logFile}.1`);
  writeFileSync(printed, `${line('main', 'after')}\n`, { flag: 'a' });
  while (!existsSync(logFile)) await delay(20);
  expect(readFileSync(`${logFile}.1`, 'utf8')).toContain('before');
  expect(readFileSync(logFile, 'utf8')).toContain('after');
});

test('a log that would become longer than 16 MB is rotated', async () => {
  writeFileSync(logFile, 'x'.repeat(16_000_000));
  await logged(['first']);
  expect(statSync(logFile).size).toBeLessThan(1000);
  expect(statSync(`${logFile}.1`).size).toBeGreaterThan(16_000_000);
});
