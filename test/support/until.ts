import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds. A test that waits for ever ends with its own time limit. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20);
}
