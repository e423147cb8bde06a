import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findOnPath } from '../../../src/embedded/binaries/findOnPath';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'loyalty-path-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a program is found in the directories of PATH', () => {
  const file = path.join(directory, 'mongod');
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  expect(findOnPath('mongod', `/nowhere:${directory}`)).toBe(file);
});

test('a file that may not be executed is not a program', () => {
  writeFileSync(path.join(directory, 'mongod'), '');
  expect(findOnPath('mongod', directory)).toBeUndefined();
});

test('a relative entry of PATH is left out: what runs must not depend on the working directory', () => {
  expect(findOnPath('mongod', '.:')).toBeUndefined();
});
