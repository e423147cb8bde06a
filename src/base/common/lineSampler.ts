import { elapsedMs } from './clock';

/** Limits how many lines of a kind the log gets in a second. */
export interface LineSampler {
  /** True when the line may be logged. Otherwise it is counted. */
  admits(): boolean;
}

const windowMs = 1000;

/**
 * Makes a sampler that admits the first `linesMax` lines of each second. At the end of a second in which it refused
 * lines, it reports how many.
 * @param linesMax 0: all lines are admitted
 */
export function createLineSampler(linesMax: number, onDropped: (lines: number) => void): LineSampler {
  let from = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let dropped = 0;
  const tell = () => {
    const count = dropped;
    dropped = 0;
    onDropped(count);
  };
  return {
    admits() {
      if (linesMax === 0) return true;
      const now = elapsedMs();
      if (now - from >= windowMs) {
        from = now;
        lines = 0;
      }
      lines += 1;
      if (lines <= linesMax) return true;
      // One timer for each second with refused lines. It does not keep a process that ends.
      if (dropped === 0) setTimeout(tell, from + windowMs - now).unref();
      dropped += 1;
      return false;
    },
  };
}
