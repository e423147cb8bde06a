import { type DestinationStream, type Logger, pino } from 'pino';

/** Keys whose values never reach the log, at the top level of a line or one level below. */
const secretKeys = ['password', 'passwordHash', 'token', 'authorization', 'cookie', 'tokenKey'];

/** The text of an API key, wherever it stands, such as in the path of a request. Its id may be logged. */
const apiKeyTexts = /(lk_[0-9a-f]{24})_[0-9A-Za-z]+/g;

/** Makes the log of a process: one JSON object per line, with secrets redacted. */
export function createLog({ LOG_LEVEL }: { LOG_LEVEL: string }, destination?: DestinationStream): Logger {
  const options = {
    level: LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: secretKeys.flatMap((key) => [key, `*.${key}`]),
    hooks: {
      streamWrite: (line: string) => (line.includes('lk_') ? line.replace(apiKeyTexts, '$1_[Redacted]') : line),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
