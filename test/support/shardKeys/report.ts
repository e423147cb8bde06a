import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';

/**
 * Returns the lines that `watchCommands` has reported since the last call, of this process and of those that tests
 * started. Each is returned once, however often it was sent.
 */
export function takeUnkeyed(): string[] {
  const report = process.env.UNKEYED_COMMANDS;
  if (report === undefined || !existsSync(report)) return [];
  const taken = `${report}.${process.pid}`;
  try {
    // Another worker of jest may take it at the same moment.
    renameSync(report, taken);
  } catch {
    return [];
  }
  const lines = new Set(readFileSync(taken, 'utf8').trim().split('\n'));
  rmSync(taken);
  return [...lines];
}
