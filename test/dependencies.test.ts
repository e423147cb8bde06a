import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The least versions without known holes. */
const least: Record<string, string> = {
  koa: '3.1.2',
  mongoose: '9.9.2',
  jws: '4.0.1',
  'jsonpath-plus': '10.3.0',
  bullmq: '6.0.7',
};

interface LockedPackage {
  version?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  engines?: { node?: string };
}

interface Lock {
  packages: Record<string, LockedPackage>;
}

function lockIn(folder: string): Lock {
  return JSON.parse(readFileSync(path.join(__dirname, '..', folder, 'package-lock.json'), 'utf8')) as Lock;
}

const lock = lockIn('.');

/** Every installed version, also of copies within other packages. */
function installed(name: string): string[] {
  const copies = Object.entries(lock.packages).filter(([place]) => place.endsWith(`node_modules/${name}`));
  return copies.map(([, { version = '0.0.0' }]) => version);
}

/** Tells whether a version is not older than another; a pre-release is older than its release. */
function isAtLeast(version: string, bound: string): boolean {
  const [numbers = '', preRelease] = version.split('-');
  const order = numbers.localeCompare(bound, 'en', { numeric: true });
  return order > 0 || (order === 0 && preRelease === undefined);
}

/** Why a package that has an install script does without it. */
const withoutScript: Record<string, string> = {
  '@parcel/watcher': 'its binary is a package of its own, which npm chooses by platform',
  '@swc/core': 'its binary is a package of its own; the script only looks for it',
  'msgpackr-extract': 'its binary is a package of its own, and without it msgpackr is slower',
};

describe('installing', () => {
  it('runs no script of a dependency, neither here nor in the image', () => {
    const read = (file: string) => readFileSync(path.join(__dirname, '..', file), 'utf8');
    for (const file of ['.npmrc', 'clients/.npmrc'])
      expect([file, read(file).split('\n')]).toEqual([file, expect.arrayContaining(['ignore-scripts=true'])]);
    expect(read('.dockerignore').split('\n')).toContain('!.npmrc');
    const [, copied = ''] = /^COPY (.*) \.\/$/m.exec(read('Dockerfile')) ?? [];
    expect(copied.split(' ')).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', '.npmrc']));
  });

  it('needs no such script: every package that has one is known to work without it', () => {
    const locked = ['.', 'clients'].flatMap((folder) => Object.entries(lockIn(folder).packages));
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([place]) => place.split('node_modules/').at(-1) ?? '');
    expect(names.filter((name) => !Object.hasOwn(withoutScript, name) && name !== 'fsevents')).toEqual([]);
  });
});

describe('what `npm ci` installs', () => {
  const installedByDefault = Object.entries(lock.packages).filter(
    ([place, { dev, link }]) => place.includes('node_modules/') && !dev && !link,
  );

  it('is at most 500 packages besides those that npm chooses by platform (decision 155)', () => {
    expect(installedByDefault.filter(([, { optional }]) => !optional).length).toBeLessThan(500);
  });

  it('wants no later Node than the service, so npm warns of nothing', () => {
    const later = installedByDefault.filter(([, { engines }]) => /^>=?\s*(?:2[1-9]|[3-9]\d)/.test(engines?.node ?? ''));
    expect(later.map(([place]) => place)).toEqual([]);
  });
});

describe('the dependencies', () => {
  it.each(Object.entries(least))('hold %s in no version before %s', (name, bound) => {
    const versions = installed(name);
    expect(versions).not.toEqual([]);
    expect(versions.filter((version) => !isAtLeast(version, bound))).toEqual([]);
  });

  it.each([
    ['3.1.2', true],
    ['3.1.10', true],
    ['10.0.0', true],
    ['3.1.1', false],
    ['3.0.9', false],
    ['3.1.2-beta.1', false],
  ])('are compared by number: %s is new enough for 3.1.2: %s', (version, isNewEnough) => {
    expect(isAtLeast(version, '3.1.2')).toBe(isNewEnough);
  });
});
