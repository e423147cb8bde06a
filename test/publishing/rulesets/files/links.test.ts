import { mkdir, mkdtemp, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeFiles } from '#publishing/ruleEditor/writeFiles';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { orgRuleFolder } from '#publishing/rulesets/files/ruleFolders';
import { quietMs, watchFiles } from '#publishing/rulesets/files/watchFiles';

/** What no reader may ever see. It is JSON, and CSV too, so that nothing but its place keeps it away. */
const secret = '"a secret of the machine"';

let machine: string;
let rulesDir: string;
beforeEach(async () => {
  machine = await mkdtemp(path.join(tmpdir(), 'loyalty-links-'));
  rulesDir = path.join(machine, 'rules');
  await mkdir(path.join(rulesDir, 'demo'), { recursive: true });
  await mkdir(path.join(rulesDir, '@acme/shop'), { recursive: true });
  await mkdir(path.join(machine, 'outside/demo'), { recursive: true });
  for (const file of ['outside/secrets.json', 'outside/demo/secrets.json', 'outside/demo/rows.csv']) {
    await writeFile(path.join(machine, file), secret);
  }
  await writeFile(path.join(rulesDir, 'demo/own.json'), '[]');
  await writeFile(path.join(rulesDir, '@acme/shop/acme.json'), secret);
});
afterEach(() => rm(machine, { recursive: true, force: true }));

/** The own org has the codes of its programs; so has the org `acme`. */
const codes = ['demo', 'shop', 'more', 'acme'];
const folderOfOrg = (org: string) => orgRuleFolder({ rulesDir, orgCode: 'own' }, org).folder;

type Link = readonly [place: string, leadsTo: string, org: 'own' | 'acme', fault: string];

/** Links by their place below RULES_DIR, and what they lead to below the folder that RULES_DIR is in. */
const leaving: readonly Link[] = [
  ['demo/secrets.json', 'outside/secrets.json', 'own', 'demo/secrets.json'],
  ['demo/rows.csv', 'outside/demo/rows.csv', 'own', 'demo/rows.csv'],
  ['demo/acme.json', 'rules/@acme/shop/acme.json', 'own', 'demo/acme.json'],
  ['shop', 'outside/demo', 'own', 'shop'],
  ['shop', 'rules/@acme/shop', 'own', 'shop'],
  ['acme', 'rules/@acme', 'own', 'acme'],
  ['more', '.', 'own', 'more'],
  ['@acme/shop/own.json', 'rules/demo/own.json', 'acme', 'shop/own.json'],
  ['@acme/demo', 'rules/demo', 'acme', 'demo'],
  ['@acme/demo', 'outside/demo', 'acme', 'demo'],
];

describe('a link that leads out of the folder of its org', () => {
  test.each(leaving)('%s to %s is not read', async (place, leadsTo, org, fault) => {
    await symlink(path.join(machine, leadsTo), path.join(rulesDir, place));
    const { files, faults } = await readFiles(folderOfOrg(org), codes);
    expect(files.map(({ path: name }) => name)).toEqual(org === 'own' ? ['demo/own.json'] : ['shop/acme.json']);
    expect(faults).toMatchObject([
      { file: fault, line: 1, column: 1, message: expect.stringContaining('leads out of the folder of rules') },
    ]);
  });

  test.each(leaving)('%s to %s by a relative path and by another link is not read', async (place, leadsTo, org) => {
    await symlink(path.join(machine, leadsTo), path.join(rulesDir, '.hop'));
    const at = path.join(rulesDir, place);
    await symlink(path.relative(path.dirname(at), path.join(rulesDir, '.hop')), at);
    const { files, faults } = await readFiles(folderOfOrg(org), codes);
    expect(files).toHaveLength(1);
    expect(faults).toHaveLength(1);
  });

  test('is not read as the folder of an org', async () => {
    await symlink(path.join(machine, 'outside'), path.join(rulesDir, '@other'));
    const { files, faults } = await readFiles(folderOfOrg('other'), codes);
    expect(files).toEqual([]);
    expect(faults).toMatchObject([
      { file: '.', line: 1, column: 1, message: 'is not read: its symbolic link leads out of the folder of rules' },
    ]);
  });

  test('is not written into, as the folder of a program or of an org', async () => {
    await symlink(path.join(machine, 'outside/demo'), path.join(rulesDir, 'shop'));
    await symlink(path.join(machine, 'outside'), path.join(rulesDir, '@other'));
    for (const [org, name] of [
      ['own', 'shop/new.json'],
      ['other', 'demo/new.json'],
      ['other', 'fresh/new.json'],
    ] as const) {
      await expect(writeFiles(folderOfOrg(org), [{ path: name, text: '[]' }])).rejects.toMatchObject({
        status: 422,
        details: { errors: [{ path: 'files', kind: 'readOnly' }] },
      });
    }
    expect((await readdir(path.join(machine, 'outside'), { recursive: true })).sort()).toEqual(
      ['demo', 'demo/rows.csv', 'demo/secrets.json', 'secrets.json'].sort(),
    );
  });

  test('is replaced by a file, and what it leads to stays as it was', async () => {
    await symlink(path.join(machine, 'outside/secrets.json'), path.join(rulesDir, 'demo/own2.json'));
    await writeFiles(folderOfOrg('own'), [{ path: 'demo/own2.json', text: '[]' }]);
    expect(await readFile(path.join(rulesDir, 'demo/own2.json'), 'utf8')).toBe('[]');
    expect(await readFile(path.join(machine, 'outside/secrets.json'), 'utf8')).toBe(secret);
  });

  test('is not watched', async () => {
    await symlink(path.join(machine, 'outside'), path.join(rulesDir, 'shop'));
    const seen = new Set<string>();
    const watch = await watchFiles(rulesDir, {
      changed: (paths) => {
        for (const each of paths) seen.add(path.relative(rulesDir, each));
      },
      failed: (error) => seen.add(String(error)),
    });
    try {
      await writeFile(path.join(machine, 'outside/new.json'), '[]');
      await writeFile(path.join(rulesDir, 'demo/new.json'), '[]');
      for (let waited = 0; !seen.has('demo/new.json') && waited < 100; waited += 1) {
        await new Promise((resolve) => setTimeout(resolve, quietMs));
      }
    } finally {
      await watch.close();
    }
    expect([...seen]).toEqual(['demo/new.json']);
  });
});

describe('a link within the folder of its org', () => {
  test('is read, as a mount of configuration makes them: every file leads to a folder that is swapped', async () => {
    const mount = path.join(rulesDir, 'shop');
    for (const release of ['..1', '..2']) {
      await mkdir(path.join(mount, release), { recursive: true });
      await writeFile(path.join(mount, release, 'earn.json'), JSON.stringify(release));
    }
    await symlink('..1', path.join(mount, '..data'));
    await symlink('..data/earn.json', path.join(mount, 'earn.json'));
    const text = async () =>
      (await readFiles(rulesDir, codes)).files.find(({ path: name }) => name === 'shop/earn.json')?.text;
    expect(await text()).toBe('"..1"');
    await unlink(path.join(mount, '..data'));
    await symlink('..2', path.join(mount, '..data'));
    expect(await text()).toBe('"..2"');
  });

  test('may be RULES_DIR itself', async () => {
    await symlink(rulesDir, path.join(machine, 'current'));
    const { files, faults } = await readFiles(path.join(machine, 'current'), codes);
    expect({ files: files.map(({ path: name }) => name), faults }).toEqual({ files: ['demo/own.json'], faults: [] });
    const acme = await readFiles(path.join(machine, 'current/@acme'), codes);
    expect(acme.files.map(({ path: name }) => name)).toEqual(['shop/acme.json']);
    await writeFiles(path.join(machine, 'current'), [{ path: 'more/new.json', text: '[]' }]);
    expect(await readFile(path.join(rulesDir, 'more/new.json'), 'utf8')).toBe('[]');
  });
});
