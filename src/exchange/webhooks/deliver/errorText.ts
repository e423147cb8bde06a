/** What is said of errors for which their code alone is no explanation. */
const explained: Readonly<Record<string, string>> = {
  RefusedAddress: 'the receiver is not in the public internet',
  TimeoutError: 'no answer in time',
  ECONNREFUSED: 'the receiver refused the connection',
  ECONNRESET: 'the receiver closed the connection',
  ENOTFOUND: 'the name has no address',
  ENODATA: 'the name has no address',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
};

/** Most characters of a code that is shown. */
const codeMax = 100;

/**
 * Says in words for the log of deliveries why there was no answer. The messages of errors are not shown, because they
 * have addresses.
 * @param signal ended the attempt, if it did
 */
export function errorText(error: unknown, signal?: AbortSignal): string {
  const cause = signal?.aborted ? signal.reason : error;
  if (!(cause instanceof Error)) return 'unknown';
  if (cause.name === 'AbortError') return 'the worker ended';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  const words = explained[cause.name] ?? explained[code];
  return words ?? code.slice(0, codeMax);
}
