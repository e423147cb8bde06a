import { addDecimals } from '#base/common/addDecimals';
import { type WindowUse, withUse } from '../format/windowUses';
import type { CounterUse } from '../language/decision';

/** The used amounts of counters in memory: of a simulation, or of a rule test. */
export class CounterBook {
  /** By hexadecimal id. */
  readonly usage = new Map<string, number>();
  /** Uses of limits by windows, by hexadecimal id. */
  readonly windows = new Map<string, readonly WindowUse[]>();

  add(uses: readonly (Pick<CounterUse, 'id' | 'amount'> & { window?: { at: number } })[]): void {
    for (const { id, amount, window } of uses) {
      const key = id.toHexString();
      if (window) this.windows.set(key, withUse(this.windows.get(key) ?? [], window.at, amount));
      else this.usage.set(key, addDecimals(this.usage.get(key) ?? 0, amount));
    }
  }

  /** Number of counters. */
  get size(): number {
    return this.usage.size + this.windows.size;
  }
}
