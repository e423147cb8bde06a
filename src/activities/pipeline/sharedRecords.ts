import { LRUCache } from 'lru-cache';

/** How many records are remembered that batches read and did not write. */
export const unwrittenMax = 10_000;

/**
 * Tells which batches in flight share a record, such as the counter of a budget or the head of a family. Two batches that
 * write the same record conflict, so the later one should read it only when the earlier one has committed.
 *
 * Which records a batch writes is known only after its decisions. Until then it is expected to write what it reads, except
 * records that the last batch which read them did not write. So the budget of a rule that seldom fires makes nobody wait.
 */
export class SharedRecords<Batch> {
  /** The batches in flight, in the order in which they entered, with the ids of the records that they are expected to write. */
  private readonly inFlight = new Map<Batch, Set<string>>();
  private readonly unwritten = new LRUCache<string, true>({ max: unwrittenMax });

  /**
   * Enters a batch for records, in addition to those for which it has entered before. When another batch has one of the
   * further ones, it goes behind all others. So a batch waits only for earlier ones, and no two wait for each other.
   * @returns the batches that must leave before it reads the records; when there are any, none waits for this one any more
   */
  enter(batch: Batch, ids: readonly string[]): Batch[] {
    const own = this.inFlight.get(batch) ?? new Set();
    const further = ids.filter((id) => !own.has(id) && !this.unwritten.has(id));
    const isFree = this.others(batch, further).length === 0;
    for (const id of further) own.add(id);
    if (!isFree) this.inFlight.delete(batch);
    this.inFlight.set(batch, own);
    return isFree ? [] : this.others(batch, own);
  }

  /** Notes which of the records that a batch has read it writes. */
  noteWritten(read: Iterable<string>, written: ReadonlySet<string>): void {
    for (const id of read) {
      if (written.has(id)) this.unwritten.delete(id);
      else this.unwritten.set(id, true);
    }
  }

  leave(batch: Batch): void {
    this.inFlight.delete(batch);
  }

  /** The other batches that are expected to write one of these records. */
  private others(batch: Batch, ids: Iterable<string>): Batch[] {
    const wanted = [...ids];
    const found = [...this.inFlight].filter(([other, its]) => other !== batch && wanted.some((id) => its.has(id)));
    return found.map(([other]) => other);
  }
}
