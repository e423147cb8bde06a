import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { limitOutageLines, type OutsideFailureOf } from './limitOutageLines';
import { withoutSecrets } from './withoutSecrets';

/** Keys whose values never reach the log, at the top level of a line or one level below. */
const secretKeys = ['password', 'passwordHash', 'token', 'authorization', 'cookie', 'tokenKey', 'secret', 'apiKey'];

/**
 * Makes the log of a process: one JSON object per line. Secrets are left out by the keys above, and wherever a text
 * looks like one.
 * @param failureOf tells failures of what the service stands on: one line per second and cause, without stack and
 *   address
 */
export function createLog(
  { LOG_LEVEL }: { LOG_LEVEL: string },
  destination?: DestinationStream,
  failureOf: OutsideFailureOf = () => undefined,
): Logger {
  const options: LoggerOptions = {
    level: LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: secretKeys.flatMap((key) => [key, `*.${key}`]),
    hooks: { streamWrite: withoutSecrets, logMethod: limitOutageLines(failureOf) },
  };
  return destination ? pino(options, destination) : pino(options);
}
