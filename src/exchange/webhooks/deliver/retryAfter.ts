import { dayMs } from '#base/common/durations';
/** The longest wait that a receiver may ask for, in milliseconds: a day. */
export const retryAfterMaxMs = dayMs;

/**
 * How long a receiver wants to be left alone (RFC 9110, 10.2.3: seconds, or a date), in milliseconds, at most a day;
 * undefined when the header says nothing of the kind, or a time that is past.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : httpDate(text) - now.getTime();
  return ms > 0 ? Math.min(ms, retryAfterMaxMs) : undefined;
}

/** A date as HTTP writes it, in milliseconds since 1970; NaN for anything else. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
