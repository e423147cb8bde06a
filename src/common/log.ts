import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values never reach the log, at the top level of a line or one level below. */
const secretKeys = ['password', 'passwordHash', 'token', 'authorization', 'cookie', 'tokenKey'];

/** Makes the log of a process: one JSON object per line, with secrets redacted. */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, destination?: DestinationStream): Logger {
  const options = {
    level: LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: secretKeys.flatMap((key) => [key, `*.${key}`]),
  };
  return destination ? pino(options, destination) : pino(options);
}
