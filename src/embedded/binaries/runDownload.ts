import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { OnProgress } from '../../common/progressTo';
import { isErrno } from '../../common/systemError';

interface Download {
  label: string;
  command: string;
  args: string[];
  /** Where the command writes: its growth is the progress. */
  stageDir: string;
  /** How long it may go without writing before it is ended. */
  stallLimitMs: number;
  onProgress: OnProgress;
}

const POLL_MS = 500;
const MEGABYTE = 1_000_000;
const OUTPUT_LIMIT = 64_000;

/** Runs a command that downloads into a directory, reports how far it is, and gives what it printed; rejects with one line. */
export async function runDownload(download: Download): Promise<string> {
  const child = spawn(download.command, download.args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-OUTPUT_LIMIT);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const watch = watchProgress(download, () => output, child);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return output;
    throw new Error(watch.hasStalled() ? `no answer within ${download.stallLimitMs / 1000} s` : reasonIn(output));
  } finally {
    watch.stop();
  }
}

function watchProgress(download: Download, output: () => string, child: ChildProcess) {
  let bytes = 0;
  let hasStalled = false;
  let grewAt = Date.now();
  download.onProgress(`downloading ${download.label}`);
  const timer = setInterval(() => {
    const size = directorySize(download.stageDir);
    if (size !== bytes) {
      bytes = size;
      grewAt = Date.now();
      download.onProgress(`downloading ${download.label}: ${progressText(bytes, totalIn(output()))}`, true);
    } else if (Date.now() - grewAt > download.stallLimitMs && !hasStalled) {
      hasStalled = true;
      child.kill('SIGKILL');
    }
  }, POLL_MS);
  return { hasStalled: () => hasStalled, stop: () => clearInterval(timer) };
}

function progressText(bytes: number, totalMb: number | undefined): string {
  const doneMb = (bytes / MEGABYTE).toFixed(1);
  return totalMb === undefined ? `${doneMb} MB` : `${doneMb} of ${totalMb.toFixed(1)} MB`;
}

/** Both downloaders print how large the file is: pip `(42.2 MB)`, mongodb-memory-server-core `(3.1mb / 75.2mb)`. */
function totalIn(output: string): number | undefined {
  const megabytes = /([\d.]+) ?mb\)/i.exec(output)?.[1];
  return megabytes === undefined ? undefined : Number(megabytes);
}

function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'it failed silently';
  return line.trim().slice(0, 300);
}

function directorySize(directory: string): number {
  let size = 0;
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    try {
      const stat = statSync(path.join(directory, name));
      if (stat.isFile()) size += stat.size;
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error; // moved while we look
    }
  }
  return size;
}
