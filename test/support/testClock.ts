import type { Clock } from '#base/common/clock';

/** A clock that follows the machine's clock until a test sets it. Then it stands still until it is set or advanced. */
export interface TestClock extends Clock {
  set(date: Date | string): void;
  /** Advances the clock by this many milliseconds. */
  advance(ms: number): void;
  /** Follows the machine's clock again. */
  follow(): void;
}

/** Makes a clock for one test file. */
export function testClock(): TestClock {
  let fixed: Date | undefined;
  const now = () => new Date(fixed ?? Date.now());
  return {
    now,
    set(date) {
      fixed = new Date(date);
    },
    advance(ms) {
      fixed = new Date(now().getTime() + ms);
    },
    follow() {
      fixed = undefined;
    },
  };
}
