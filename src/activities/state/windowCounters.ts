import { ObjectId } from 'bson';
import type { WindowChange } from '#activities/commit/updateWindows';
import { type WindowUse, withUse } from '#engine/rules/format/windowUses';
import type { LimitCounter } from '#records/activities/limitCounter';

/** The counters of limits by windows that a batch has read, and its changes to them. */
export class WindowCounters {
  /** By hexadecimal id: all uses that count, with those in counters of merged members. */
  readonly uses = new Map<string, readonly WindowUse[]>();
  /** By hexadecimal id: the uses that the counter itself has. */
  private readonly own = new Map<string, readonly WindowUse[]>();
  private readonly writes = new Map<string, number>();
  private readonly changed = new Set<string>();

  /** Adds a stored counter; `heirs` are the counters in which its uses count too. */
  read({ _id, uses = [], writes = 0 }: Pick<LimitCounter, '_id' | 'uses' | 'writes'>, heirs: Iterable<string>): void {
    const key = _id.toHexString();
    this.own.set(key, uses);
    this.writes.set(key, writes);
    for (const each of [key, ...heirs]) this.uses.set(each, [...(this.uses.get(each) ?? []), ...uses]);
  }

  /**
   * Adds a use; a negative amount takes one back. The counter `after` is written too, because another batch may add a
   * use to it at the same time that lies in the same window.
   */
  use(id: ObjectId, { at, after }: { at: number; after?: ObjectId | undefined }, amount: number): void {
    const key = id.toHexString();
    this.uses.set(key, withUse(this.uses.get(key) ?? [], at, amount));
    this.own.set(key, withUse(this.own.get(key) ?? [], at, amount));
    this.changed.add(key);
    if (after) this.changed.add(after.toHexString());
  }

  /** The counters to write. */
  changes(): WindowChange[] {
    return [...this.changed].map((key) => ({
      id: new ObjectId(key),
      seenWrites: this.writes.get(key) ?? 0,
      uses: this.own.get(key) ?? [],
    }));
  }
}
