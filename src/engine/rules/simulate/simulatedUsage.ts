import { addDecimals } from '#base/common/addDecimals';
import { message } from '#base/common/messages/message';
import { decimalProportion, proportion } from '#engine/points/ledger/proportion';
import { CounterBook } from '../decide/counterBook';
import type { PastCancellation, PastUse, ProcessedActivity } from './processedActivity';
import { SimulationTooLarge } from './simulationTooLarge';

/** Maximum number of counters of limits and budgets in the memory of a simulation. */
const countersMax = 2_000_000;

/** An activity that was returned later, with the uses that a simulation counted for it. */
interface OpenUse {
  uses: readonly PastUse[];
  /** The original uses, with what the ledger returned of each, by {@link useKey}. */
  originalUses: ReadonlyMap<string, PastUse>;
  /** The value of the activity, its part that is returned in all, and its part returned so far. */
  value: number;
  returnedInAll: number;
  returned: number;
  isWhole: boolean;
  /** The amounts given back so far. */
  back: number[];
  /** What the histories of its cancellations say was given back so far, by {@link useKey}; undefined when one does not. */
  recordedReturns: Map<string, number> | undefined;
}

/**
 * The counters of limits and budgets as a simulation counts them, in the order of the past. A cancellation gives back
 * what its activity used, at its own time.
 */
export class SimulatedUsage {
  readonly counters = new CounterBook();
  private readonly open = new Map<string, OpenUse>();

  /**
   * Counts the uses of an activity.
   * @throws SimulationTooLarge when there are too many counters
   */
  count({ activity, usage, returned }: ProcessedActivity, uses: readonly PastUse[]): void {
    if (uses.length === 0) return;
    this.counters.add(uses);
    if (this.counters.size + this.open.size > countersMax) {
      throw new SimulationTooLarge(message('simulations.tooManyCounters'));
    }
    if (!returned || !('_id' in activity)) return;
    this.open.set(String(activity._id), {
      uses,
      originalUses: new Map(usage.map((use) => [useKey(use), use])),
      isWhole: returned.isWhole,

      value: activity.value,
      returnedInAll: returned.value,
      returned: 0,
      back: uses.map(() => 0),
      recordedReturns: new Map(),
    });
  }

  /** Gives back what an activity used, as far as a cancellation returns it. */
  giveBack({ original, value, usesGivenBack }: PastCancellation): void {
    const open = this.open.get(original);
    if (!open) return;
    open.returned += value;
    if (!usesGivenBack) open.recordedReturns = undefined;
    for (const use of usesGivenBack ?? []) {
      open.recordedReturns?.set(useKey(use), addDecimals(open.recordedReturns.get(useKey(use)) ?? 0, use.amount));
    }
    for (const [n, use] of open.uses.entries()) {
      const before = open.back[n] ?? 0;
      const after = Math.max(before, returnedAmount(use, open));
      open.back[n] = after;
      this.counters.add([{ ...use, amount: addDecimals(before, -after) }]);
    }
    if (isOver(open)) this.open.delete(original);
  }
}

/** Rules of one limit group have the same counter, each with a use of its own. */
function useKey({ id, rule }: Pick<PastUse, 'id' | 'rule'>): string {
  return `${id.toHexString()} ${rule?.toHexString() ?? ''}`;
}

/** Whether nothing more of an activity comes back. A return of lines that cost nothing returns no value. */
function isOver({ returned, returnedInAll, originalUses, recordedReturns }: OpenUse): boolean {
  if (returned < returnedInAll) return false;
  return (
    !recordedReturns || [...originalUses].every(([key, use]) => (recordedReturns.get(key) ?? 0) >= (use.returned ?? 0))
  );
}

/** What is given back of a use in total: the ledger's figure if the use is unchanged, else its share. */
function returnedAmount(
  use: PastUse,
  { originalUses, value, returnedInAll, returned, isWhole, recordedReturns }: OpenUse,
): number {
  const { what, amount } = use;
  const originalUse = originalUses.get(useKey(use));
  const isUnchanged = originalUse?.amount === amount;
  if (isUnchanged && recordedReturns) return recordedReturns.get(useKey(use)) ?? 0;
  if (isWhole && returned >= value) return amount;
  if (what === 'times' || value === 0) return 0;
  const shareOf = what === 'amount' ? decimalProportion : proportion;
  return isUnchanged
    ? shareOf(originalUse.returned ?? 0, { returned, of: returnedInAll })
    : shareOf(amount, { returned, of: value });
}
