import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Copies a log of mongod without the values that clients sent: of lines about them only the time, the kind of message
 * and its text are kept, the attributes (commands, filters, keys) only of lines about start and end. mongod itself can
 * redact in its Enterprise edition alone. Opens the file for each line, so that it can be put aside at any time.
 * A shell script, because it must outlive Node, as mongod does; it ends with mongod.
 */
const SCRIPT = `
umask 077
while IFS= read -r line; do
  head=\${line%%,\\"attr\\":*}
  case "$head" in
    "$line") ;;
    *'"ctx":"initandlisten"'*|*'"ctx":"main"'*|*'"ctx":"-"'*|*'"ctx":"SignalHandler"'*) ;;
    *) line="$head}" ;;
  esac
  printf '%s\\n' "$line" >>"$1"
done
`;

/** Gives what mongod can write its log to; what comes out is appended to `file`. */
export function scrubLog(file: string): Writable {
  const child = spawn('sh', ['-c', SCRIPT, 'loyalty-log', file], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => undefined); // without a shell mongod does not start either, and says so
  child.unref();
  return child.stdin;
}
