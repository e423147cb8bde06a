import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { OnProgress } from '../../common/progressTo';

/** A place from which a server program can be downloaded. */
export interface DownloadSource {
  name: string;
  /** Puts the program into `stageDir`, an empty folder, and returns its path. Rejects with a message of one line. */
  fetch(context: { stageDir: string; path: string; onProgress: OnProgress }): Promise<string>;
}

interface Download {
  label: string;
  command: string;
  args: string[];
  /** Where the command writes. The growth of this folder shows the progress. */
  stageDir: string;
  /** How many milliseconds the command may write nothing before it is killed. */
  stallLimitMs: number;
  onProgress: OnProgress;
}

const POLL_MS = 500;

/**
 * Runs a command that downloads into a directory, reports the progress, and returns the output of the command. Rejects
 * with a message of one line.
 */
export async function runDownload({
  label,
  command,
  args,
  stageDir,
  stallLimitMs,
  onProgress,
}: Download): Promise<string> {
  onProgress(`downloading ${label}`);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  let megabytes = '0.0';
  let grewAt = Date.now();
  const timer = setInterval(() => {
    const now = (sizeOf(stageDir) / 1e6).toFixed(1);
    if (now === megabytes && Date.now() - grewAt > stallLimitMs) child.kill('SIGKILL');
    if (now === megabytes) return;
    [megabytes, grewAt] = [now, Date.now()];
    // pip prints `(42.2 MB)`, mongodb-memory-server-core prints `(3.1mb / 75.2mb)`.
    const total = /([\d.]+) ?mb\)/i.exec(output)?.[1];
    onProgress(`downloading ${label}: ${megabytes}${total ? ` of ${total}` : ''} MB`, true);
  }, POLL_MS);
  try {
    const [code, signal] = await once(child, 'close');
    if (code === 0) return output;
    throw new Error(signal ? `no answer within ${stallLimitMs / 1000} s` : reasonIn(output));
  } finally {
    clearInterval(timer);
  }
}

function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => line.startsWith('ERROR:')) ?? lines.at(-1) ?? 'it failed silently')
    .trim()
    .slice(0, 300);
}

function sizeOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  // The command may move files meanwhile.
  const sizes = files.map((name) => statSync(path.join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}
