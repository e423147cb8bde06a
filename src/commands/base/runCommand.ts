import { type Command, CommanderError } from 'commander';
import { isErrno } from '#base/common/systemError';
import { terminalText } from '#base/common/terminalText';
import { type Config, readConfig } from '#platform/infrastructure/config';
import { failureLines } from '#server/startUp/failureLines';
import { CommandError } from './withDatabase';

/** Where a command reads and writes. */
export interface CommandStreams {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  out(line: string): void;
  err(line: string): void;
}

/**
 * The streams of this process. `terminalText` escapes control characters, which stored strings and files may contain.
 */
export const processStreams: CommandStreams = {
  input: process.stdin,
  out: (line) => void process.stdout.write(`${terminalText(line)}\n`),
  err: (line) => void process.stderr.write(`${terminalText(line)}\n`),
};

/**
 * Runs the command of this process with the arguments and the settings of the process, and exits with its code.
 * @param make makes the command for these settings
 */
export function runProcess(make: (config: Config, streams: CommandStreams) => Command): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', requireUnread);
  const run = async () => runCommand(make(readConfig(), processStreams), process.argv.slice(2), processStreams);
  void run()
    .catch((error: unknown) => tell(error, processStreams))
    .then((code) => process.exit(code));
}

/** Lets a command finish its work when nobody reads its output any more, as with `| head`. Other errors are thrown. */
function requireUnread(error: Error): void {
  if (!isErrno(error, 'EPIPE') && !isErrno(error, 'ERR_STREAM_DESTROYED')) throw error;
}

/**
 * Runs a command with its arguments.
 * @returns the exit code: 0, or 1 (or the one of a CommandError) after it has written one line for each error
 */
export async function runCommand(command: Command, args: string[], streams: CommandStreams): Promise<number> {
  const { out, err } = streams;
  for (const each of [command, ...command.commands]) {
    each
      .exitOverride()
      .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) });
  }
  try {
    await command.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    return tell(error, streams);
  }
}

/** Writes a line for each fault. Returns the exit code, which is 1 unless the error has another. */
function tell(error: unknown, { err }: CommandStreams): number {
  for (const line of errorLines(error)) err(line);
  return error instanceof CommandError ? error.exitCode : 1;
}

/** What a user sees of an error: a line that says what to do, or one for each fault. */
export function errorLines(error: unknown): string[] {
  if (error instanceof CommandError) return [error.message];
  return failureLines(error) ?? [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
}
