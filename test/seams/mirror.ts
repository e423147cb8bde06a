import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const copied = [
  'src',
  'test',
  'workers',
  'clients/typescript',
  'package.json',
  'tsconfig.json',
  'jest.config.cjs',
  '.districts.cjs',
];

/** A copy of the sources and tests, in which a fault is planted. Nothing is planted in this checkout. */
export interface Mirror {
  /** Replaces a text of a source, which must occur in it exactly once. */
  plant(file: string, from: string, to: string): void;
  /** Runs the tests of a file with this title, on the stores of this run. @returns the status of each */
  statuses(file: string, title: string): Promise<string[]>;
  remove(): void;
}

/** Copies the sources and tests to a temporary folder. The packages are those of this checkout. */
export function openMirror(): Mirror {
  const folder = mkdtempSync(path.join(tmpdir(), 'loyalty-mirror-'));
  for (const each of copied) cpSync(path.join(root, each), path.join(folder, each), { recursive: true });
  // Links to single packages: caches in `node_modules` stay those of this checkout.
  mkdirSync(path.join(folder, 'node_modules'));
  for (const name of readdirSync(path.join(root, 'node_modules')).filter((each) => each !== '.cache'))
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  return {
    plant(file, from, to) {
      const before = readFileSync(path.join(folder, file), 'utf8');
      const parts = before.split(from);
      if (parts.length !== 2) throw new Error(`${file} has "${from}" ${parts.length - 1} times`);
      writeFileSync(path.join(folder, file), parts.join(to));
    },
    statuses: (file, title) => runTests(folder, file, title),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Assertion {
  title: string;
  status: string;
}

async function runTests(folder: string, file: string, title: string): Promise<string[]> {
  const results = path.join(folder, 'results.json');
  const pattern = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  const args = ['node_modules/jest/bin/jest.js', '--runInBand', '--json', '--outputFile', results, '-t', pattern, file];
  const options = {
    cwd: folder,
    maxBuffer: 2 ** 28,
    env: { ...process.env, TEST_WITHIN_TEST: '1', TEST_SCALE: '0.25' },
  };
  // A failing test makes Jest exit with 1, which is no error here.
  await new Promise((resolve) => execFile(process.execPath, args, options, resolve));
  const { testResults }: { testResults: { assertionResults: Assertion[]; message: string }[] } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  const own = testResults.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.title === title);
  const statuses = own.map(({ status }) => status).filter((status) => status !== 'pending');
  if (statuses.length === 0) throw new Error(`${file} ran no test "${title}": ${testResults[0]?.message ?? ''}`);
  return statuses;
}
