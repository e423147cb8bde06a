import type { LogFn, Logger } from 'pino';
import { elapsedMs } from './clock';

/** A failure of a dependency of the service, such as a store that is unavailable. */
export interface OutsideFailure {
  /** What failed. */
  of: string;
  /** Class and code of the error. It names no address. */
  cause: string;
}

/** Tells such a failure from other errors. */
export type OutsideFailureOf = (error: unknown) => OutsideFailure | undefined;

/**
 * The time in milliseconds in which a cause is logged once. A cause that was silent for as long is new: its stack is
 * logged again.
 */
const windowMs = 1000;
const forgottenMs = 30_000;
const causesMax = 100;
const debugLevel = 20;

interface Seen {
  lastAt: number;
  lineAt: number;
  leftOut: number;
}

type LogMethod = (this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) => void;

/**
 * Makes the hook of a log that bounds what an outage writes. A line above `debug` whose `err` is a failure of a store
 * gets no stack, and no message, because that contains the address. Each cause is logged once per second over all
 * loggers. The next line says how many were left out. The first line of a cause has its stack at `debug`.
 */
export function limitOutageLines(failureOf: OutsideFailureOf): LogMethod {
  const causes = new Map<string, Seen>();
  return function log(args, method, level) {
    const [line, ...rest] = args as unknown as [unknown, ...string[]];
    const failure = level > debugLevel && hasError(line) ? failureOf(line.err) : undefined;
    if (!failure || !hasError(line)) return method.apply(this, args);
    const { err, ...fields } = line;
    const { isAdmitted, isNew, leftOut } = admit(causes, `${failure.of} ${failure.cause}`);
    if (isNew) this.debug({ err }, ...rest);
    if (!isAdmitted) return undefined;
    const shown = { ...fields, store: failure.of, error: failure.cause, ...(leftOut > 0 ? { leftOut } : {}) };
    return method.apply(this, [shown, ...rest] as unknown as Parameters<LogFn>);
  };
}

function hasError(line: unknown): line is { err: unknown } {
  return typeof line === 'object' && line !== null && 'err' in line;
}

function admit(causes: Map<string, Seen>, key: string) {
  const now = elapsedMs();
  const seen = causes.get(key);
  const isNew = !seen || now - seen.lastAt > forgottenMs;
  if (!isNew && now - seen.lineAt < windowMs) {
    causes.set(key, { ...seen, lastAt: now, leftOut: seen.leftOut + 1 });
    return { isAdmitted: false, isNew, leftOut: 0 };
  }
  if (causes.size >= causesMax) causes.clear();
  causes.set(key, { lastAt: now, lineAt: now, leftOut: 0 });
  return { isAdmitted: true, isNew, leftOut: isNew ? 0 : seen.leftOut };
}
