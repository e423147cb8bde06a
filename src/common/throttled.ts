import { elapsedMs } from './clock';

/**
 * Makes of a look one that is taken at most once in so many milliseconds: whoever asks meanwhile gets what the last one
 * saw, or what the one under way will see.
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
