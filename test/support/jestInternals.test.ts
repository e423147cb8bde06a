import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// sharedRuntime.cjs and sharedEnvironment.cjs replace parts of Jest. These tests say what a new Jest must still do.

test('modules that Node itself loads have the Date and the Array of the tests', () => {
  const { runInThisContext } = createRequire(__filename)('node:vm');
  expect(runInThisContext('Date')).toBe(Date);
  expect(runInThisContext('Array')).toBe(Array);
});

test('Jest remembers in an AsyncLocalStorage what runs, as an object with a test or a hook', () => {
  const circus = readFileSync('node_modules/jest-circus/build/jestAdapterInit.js', 'utf8');
  expect(circus).toMatch(/testExecutionContext\.run\(\{/);
});

test('jest-worker tells a worker with 2 that there are no more files', () => {
  const worker = readFileSync('node_modules/jest-worker/build/processChild.js', 'utf8');
  expect(worker).toMatch(/CHILD_MESSAGE_END = 2;/);
});
