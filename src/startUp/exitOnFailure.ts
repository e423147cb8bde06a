import { ConfigError } from '../backing/config';
import { StartError } from '../common/startError';
import { terminalText } from '../common/terminalText';

/** Runs a process' start; when it fails, says why, a line a cause, and exits with 1. */
export function exitOnFailure(start: () => Promise<void>): void {
  start().catch((error: unknown) => {
    for (const line of linesOf(error)) process.stderr.write(`${terminalText(line)}\n`);
    process.exit(1);
  });
}

/** What a person can mend is told in lines; anything else is a fault of ours and keeps its stack. */
function linesOf(error: unknown): string[] {
  if (error instanceof ConfigError) return error.lines;
  if (error instanceof StartError) return [error.message];
  if (isAddressInUse(error)) return [`PORT ${error.port} is in use; set another PORT, or 0 for any free one`];
  return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
}

function isAddressInUse(error: unknown): error is { port: number } {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
}
