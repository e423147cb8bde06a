import { elapsedMs } from './clock';

/**
 * Limits how often `look` runs: at most once in `periodMs` milliseconds. A caller in between gets the result of the
 * last run, or of the run in progress.
 */
export function throttled<T>(periodMs: number, look: () => Promise<T>): () => Promise<T> {
  let last: { seen: Promise<T>; from: number; isUnderWay: boolean } | undefined;
  return () => {
    if (last && (last.isUnderWay || elapsedMs() - last.from < periodMs)) return last.seen;
    const present = { seen: look(), from: elapsedMs(), isUnderWay: true };
    const ended = () => {
      present.isUnderWay = false;
    };
    present.seen.then(ended, ended);
    last = present;
    return present.seen;
  };
}
