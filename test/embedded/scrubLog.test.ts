import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { scrubLog } from '../../src/embedded/scrubLog';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'loyalty-scrub-'));
  file = path.join(directory, 'mongod.log');
});
afterEach(() => rmSync(directory, { recursive: true }));

function line(ctx: string, msg: string, attr?: unknown): string {
  const head = { t: { $date: '2026-01-01T00:00:00.000+00:00' }, s: 'I', c: 'COMMAND', id: 1, ctx, msg };
  return JSON.stringify(attr === undefined ? head : { ...head, attr });
}

async function scrubbed(lines: string[], target = file): Promise<string[]> {
  const input = scrubLog(target);
  input.end(lines.map((each) => `${each}\n`).join(''));
  await once(input, 'close');
  const read = () => (existsSync(target) ? readFileSync(target, 'utf8').split('\n').slice(0, -1) : []);
  while (read().length < lines.length) await delay(20);
  return read();
}

test('lines about start and end are kept, of others all but the attributes, what is no such line as it is', async () => {
  const lines = [
    line('initandlisten', 'Build Info', { version: '6.0' }),
    line('conn7', 'Slow query', { command: { filter: { email: 'a@b.c' } } }),
    line('conn7', 'Ended'),
    'Error parsing command line: unrecognised option',
    '',
  ];
  expect(await scrubbed(lines)).toEqual([lines[0], line('conn7', 'Slow query'), lines[2], lines[3], '']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('whatever clients send, none of it is kept, and every line is still JSON', async () => {
  const tricky = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom('"ctx":"main"', ',"attr":', '%s\\n', '$(id)', '`id`', '\\', '*', '\u0000', 'ctx', '-n'),
  );
  const values = fc.sample(fc.dictionary(tricky, tricky, { minKeys: 1, maxKeys: 4 }), 200);
  const lines = values.map((attr) =>
    line('conn1', 'Plan executor error', { ...attr, cmd: { ctx: 'main', mark: 'MARK' } }),
  );
  const kept = await scrubbed(lines);
  expect(kept).toEqual(lines.map(() => line('conn1', 'Plan executor error')));
});

test('the file can be put aside at any time', async () => {
  const input = scrubLog(file);
  input.write(`${line('main', 'before')}\n`);
  while (!existsSync(file)) await delay(20);
  renameSync(file, `${file}.1`);
  input.end(`${line('main', 'after')}\n`);
  while (!existsSync(file)) await delay(20);
  expect(readFileSync(`${file}.1`, 'utf8')).toContain('before');
  expect(readFileSync(file, 'utf8')).toContain('after');
});
