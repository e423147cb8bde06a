import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readFiles } from '#publishing/rulesets/files/readFiles';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'loyalty-files-'));
  await mkdir(path.join(folder, 'demo'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The programs of the org. */
const codes = ['demo', 'zeta', 'alias', 'self', 'closed'];

const at = (file: string) => path.join(folder, file);
const put = (file: string, content: string | Uint8Array = '{}') => writeFile(at(file), content);

/** Runs a function without root rights, since root can read every file. */
async function withoutPrivileges<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65_534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}

async function paths() {
  const { files, faults } = await readFiles(folder, codes);
  return { files: files.map((file) => file.path), faults: faults.map(({ file, message }) => `${file}: ${message}`) };
}

test('files are the .json files directly in the program folders, sorted by path', async () => {
  await mkdir(at('zeta/deeper'), { recursive: true });
  await mkdir(at('@other/demo'), { recursive: true });
  await Promise.all([
    put('demo/b.json'),
    put('demo/a.json'),
    put('zeta/c.json'),
    put('zeta/deeper/d.json'),
    put('@other/demo/e.json'),
    put('demo/notes.md'),
    put('demo/.a.json.swp.json'),
    put('rule.schema.json'),
    put('README.md'),
  ]);
  expect(await paths()).toEqual({ files: ['demo/a.json', 'demo/b.json', 'zeta/c.json'], faults: [] });
});

test('a folder that is not there has no files', async () => {
  expect(await readFiles(at('nowhere'), codes)).toEqual({ files: [], faults: [], strays: [], warnings: [] });
});

test('a rules folder that is a file is named', async () => {
  await put('file');
  expect((await readFiles(at('file'), codes)).faults).toMatchObject([
    { file: '.', line: 1, column: 1, message: 'cannot be read: it is not a folder' },
  ]);
});

test('a byte order mark is ignored', async () => {
  await put('demo/a.json', '\uFEFF{}');
  expect((await readFiles(folder, codes)).files).toEqual([{ path: 'demo/a.json', text: '{}' }]);
});

describe('a file that cannot be read is named, and the rest is read:', () => {
  beforeEach(() => put('demo/good.json'));
  const expectFault = async (fault: string) => {
    expect(await paths()).toEqual({ files: ['demo/good.json'], faults: [fault] });
  };

  test('10 MB', async () => {
    await put('demo/large.json');
    await truncate(at('demo/large.json'), 10 * 1_048_576);
    await expectFault('demo/large.json: is too large: 10.0 MB, at most 1 MB');
  });

  test('bytes that are no text', async () => {
    await put('demo/binary.json', Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d));
    await expectFault('demo/binary.json: is not UTF-8 text');
  });

  test('a pipe that nobody writes to', async () => {
    execFileSync('mkfifo', [at('demo/pipe.json')]);
    await expectFault('demo/pipe.json: is not a file; only rule files end in .json');
  });

  test('a folder named like a file', async () => {
    await mkdir(at('demo/folder.json'));
    await expectFault('demo/folder.json: is not a file; only rule files end in .json');
  });

  test('links in a circle', async () => {
    await symlink('circle.json', at('demo/circle.json'));
    await expectFault('demo/circle.json: cannot be read: its symbolic links lead in a circle');
  });

  test('a program folder whose link leads to itself', async () => {
    await symlink('self', at('self'));
    await expectFault('self: cannot be read: its symbolic links lead in a circle');
  });

  test('a link to nothing', async () => {
    await symlink('gone.json', at('demo/link.json'));
    await expectFault('demo/link.json: cannot be read: it was removed meanwhile, or is a link to nothing');
  });

  test('no right to read a file or a folder', async () => {
    await Promise.all([put('demo/secret.json'), mkdir(at('closed'))]);
    await Promise.all([chmod(folder, 0o755), chmod(at('demo/secret.json'), 0), chmod(at('closed'), 0)]);
    const read = await withoutPrivileges(paths);
    await chmod(at('closed'), 0o700);
    expect(read).toEqual({
      files: ['demo/good.json'],
      faults: ['closed', 'demo/secret.json'].map((it) => `${it}: cannot be read: the service has no right to read it`),
    });
  });
});

test('a link to a folder above is no endless descent', async () => {
  await symlink('..', at('demo/up'));
  await symlink('demo', at('alias'));
  await put('demo/a.json');
  expect(await paths()).toEqual({ files: ['alias/a.json', 'demo/a.json'], faults: [] });
});

test('files that are replaced during a read have their old or new content', async () => {
  const replace = async () => {
    for (let round = 0; round < 200; round += 1) {
      await rm(at('demo/a.json'), { force: true });
      await put('demo/a.json', `{"round":${round}}`);
    }
  };
  const replacing = replace();
  for (let round = 0; round < 50; round += 1) await readFiles(folder, codes);
  await replacing;
  expect(await paths()).toEqual({ files: ['demo/a.json'], faults: [] });
});

test('the largest program is refused when files are more than 8 MB together', async () => {
  const megabyte = `{"a":"${'x'.repeat(1_000_000)}"}`;
  await mkdir(at('zeta'));
  for (let n = 1; n <= 8; n += 1) await put(`demo/${n}.json`, megabyte);
  await put('zeta/a.json', megabyte);
  expect(await paths()).toEqual({
    files: ['zeta/a.json'],
    faults: ['demo: with its 7.6 MB, all rule files together are above 8 MB'],
  });
});

describe('a folder that belongs to no program', () => {
  const strays = async () => {
    const { files, faults, strays: found, warnings } = await readFiles(folder, ['demo']);
    const shown = [...found, ...warnings].map(({ file, message }) => `${file}: ${message}`);
    return { files: files.map((file) => file.path), faults, shown };
  };
  beforeEach(() => put('demo/good.json'));

  test('is named when it has rule files, and not read, whatever its size', async () => {
    await Promise.all([mkdir(at('demoo')), mkdir(at('notes'))]);
    await put('demoo/a.json', '{"a":"'.padEnd(9_000_000, 'x'));
    await put('notes/readme.md');
    expect(await strays()).toEqual({
      files: ['demo/good.json'],
      faults: [],
      shown: ['demoo: no program has the code "demoo" (did you mean "demo"?); its rule files are not read'],
    });
  });

  test('is named when it cannot be read; a link to nothing is not', async () => {
    await Promise.all([
      symlink('self', at('self')),
      symlink('gone', at('dangling')),
      symlink('demo/good.json', at('file')),
    ]);
    expect(await strays()).toEqual({
      files: ['demo/good.json'],
      faults: [],
      shown: ['self: cannot be read: its symbolic links lead in a circle'],
    });
  });
});
