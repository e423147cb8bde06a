import { terminalText } from '#base/common/terminalText';
import { failureLines } from './failureLines';

/**
 * Runs the start of a process. When it fails, writes why, one line for each cause, and exits with code 1.
 * @param portSetting the setting that gives the port of this process
 */
export function exitOnFailure(start: () => Promise<void>, portSetting: 'PORT' | 'WORKER_PORT' = 'PORT'): void {
  start().catch((error: unknown) => {
    for (const line of startFailureLines(error, portSetting)) process.stderr.write(`${terminalText(line)}\n`);
    process.exit(1);
  });
}

/** Returns lines for faults that a person can correct. Any other fault is ours and keeps its stack. */
function startFailureLines(error: unknown, portSetting: string): string[] {
  if (isAddressInUse(error)) return [`${portSetting} ${error.port} is in use; set another, or 0 for any free one`];
  const lines = failureLines(error);
  if (lines) return lines;
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

function isAddressInUse(error: unknown): error is { port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
}
