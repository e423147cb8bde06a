import type { Clock } from '../../src/common/clock';

/** A clock that runs with the machine's until a test sets it; then it stands still until it is set or advanced again. */
export interface TestClock extends Clock {
  set(date: Date | string): void;
  /** Sets the clock this many milliseconds later. */
  advance(ms: number): void;
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
  };
}
