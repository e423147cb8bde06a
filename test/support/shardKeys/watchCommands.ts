import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Command, type MissedKey, missedKeys } from './missedKeys';
import { isReviewed, sentLine } from './unkeyed';

interface SentWith {
  session?: { inTransaction(): boolean };
}

/** What is replaced of the driver. */
interface Wire {
  command(this: unknown, namespace: unknown, command: Command, options?: SentWith, ...rest: unknown[]): unknown;
}

/**
 * Checks every command that this process sends to mongod from now on (docs/decisions/0177). What the service sends without
 * the shard key, and nobody has reviewed, is written to the file that the environment names; `failOnUnkeyed.ts` reads it.
 * It replaces a method of the driver's connection. The driver's own events of commands would convert every reply twice.
 */
export function watchCommands(): void {
  if (process.env.UNKEYED_COMMANDS === undefined) return;
  const { Connection } = createRequire(require.resolve('mongoose'))('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: Wire };
  };
  const { command: send } = Connection.prototype;
  Connection.prototype.command = function (namespace, command, options, ...rest) {
    const isInTransaction = options?.session?.inTransaction();
    for (const missed of missedKeys(command, isInTransaction)) tell(missed);
    return send.call(this, namespace, command, options, ...rest);
  };
}

function tell(missed: MissedKey): void {
  const report = process.env.UNKEYED_COMMANDS;
  const source = callerOf();
  if (source.startsWith('test/') || isReviewed(missed, source)) return;
  const line = `${sentLine(missed)}, from ${source}\n`;
  if (report !== undefined) appendFileSync(report, line);
}

const root = path.resolve(__dirname, '../../..');

/** Files of the service through which tests read and write too. */
const plumbing = [
  'test/support/shardKeys/watchCommands.ts',
  'src/base/db/readYielding.ts',
  'src/base/limits/semaphore.ts',
];

/** The file of the service or of the tests that sent the present command. V8 also lists what awaits it. */
function callerOf(): string {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  // Only names of files: lines of the sources would have to be looked up.
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? '');
  const files = new Error().stack as unknown as string[];
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const own = files
    .filter((file) => file.startsWith(`${root}/`) && !file.includes('/node_modules/'))
    .map((file) => path.relative(root, file))
    .filter((file) => !plumbing.some((each) => file.startsWith(each)));
  return own[0] ?? 'unknown';
}
