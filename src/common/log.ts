import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from './withoutSecrets';

/** Keys whose values never reach the log, at the top level of a line or one level below. */
const secretKeys = ['password', 'passwordHash', 'token', 'authorization', 'cookie', 'tokenKey', 'secret', 'apiKey'];

/**
 * Makes the log of a process: one JSON object per line. Secrets are left out by the keys above, and wherever a text looks
 * like one.
 */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, destination?: DestinationStream): Logger {
  const options = {
    level: LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: secretKeys.flatMap((key) => [key, `*.${key}`]),
    hooks: { streamWrite: withoutSecrets },
  };
  return destination ? pino(options, destination) : pino(options);
}
