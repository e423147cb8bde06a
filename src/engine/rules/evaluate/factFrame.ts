import { factNames } from '../format/facts';
import { isInHistory } from '../format/isInHistory';
import { EvaluationError } from '../language/evaluationError';
import type { FactRef, ReadFact } from '../language/factRef';
import { instantMs } from '../language/instantMs';
import { type Accessor, factAccessor } from '../language/path';
import { readResolvedLists } from './resolvedLists';

/** One distinct fact, path and parameters. */
interface Slot {
  /** Equal for references to the same value. */
  readonly key: string;
  readonly ref: FactRef;
  readonly select: Accessor;
}

/** The distinct facts, paths and parameters that rules read. Each has a number, its slot. */
export interface FactSlots {
  readonly slots: readonly Slot[];
  /** Slots of values that are not in the history. */
  readonly recorded: readonly number[];
  /** The slot of a reference; -1 for one that was not given to {@link factSlots}. */
  slotOf(ref: FactRef): number;
}

/** Numbers the references; references to the same value get the same number. */
export function factSlots(refs: readonly FactRef[], keyOf: (ref: FactRef) => string): FactSlots {
  const numbers = new Map<string, number>();
  const slots: Slot[] = [];
  for (const ref of refs) {
    const key = keyOf(ref);
    if (numbers.has(key)) continue;
    numbers.set(key, slots.length);
    slots.push({ key, ref, select: factAccessor(ref.path) });
  }
  const recorded = slots.flatMap(({ ref }, slot) => (isInHistory(ref) ? [] : [slot]));
  return { slots, recorded, slotOf: (ref) => numbers.get(keyOf(ref)) ?? -1 };
}

const unread = Symbol('unread');
const knownFacts: ReadonlySet<string> = new Set(factNames);

/** The values of facts for one priority level of one activity. Each slot is read once, at first use. */
export class FactFrame {
  private readonly values: unknown[];
  private instant: number | undefined;
  private failing: boolean | undefined;

  constructor(
    readonly facts: FactSlots,
    readonly readFact: ReadFact,
  ) {
    this.values = new Array(facts.slots.length).fill(unread);
  }

  /**
   * The value of a slot.
   * @throws EvaluationError when the fact does not exist or cannot be read
   */
  value(slot: number): unknown {
    const known = this.values[slot];
    return known === unread ? this.load(slot) : known;
  }

  /**
   * The value of a slot, read again: a path with `[*]` returns a new list each time. json-rules-engine also makes a
   * list for each side of a comparison, so two lists are never equal.
   */
  readAnew(slot: number): unknown {
    const { ref, select } = this.facts.slots[slot] ?? missing;
    if (!knownFacts.has(ref.fact)) throw new EvaluationError(`Undefined fact: ${ref.fact}`);
    return select(this.readFact(ref.fact, ref.params));
  }

  /** The activity's date in milliseconds since 1970; `withinDays` counts from it. */
  get dateMs(): number {
    this.instant ??= activityDate(this.readFact('activity'));
    return this.instant;
  }

  /** The ids and codes of the records in a named list, which was resolved before. */
  readonly listed = (name: string): ReadonlySet<string> | undefined =>
    readResolvedLists(this.readFact).byName.get(name);

  /** Reads all values that are not in the history before effects change them. Reading the others cannot fail. */
  readAll(): void {
    this.failing ??= this.facts.recorded.reduce((failing, slot) => this.fails(slot) || failing, false);
  }

  /** Tells whether reading some fact fails. */
  get hasFailing(): boolean {
    this.readAll();
    return this.failing === true;
  }

  /** The values that {@link readAll} could read. */
  recorded(): { key: string; ref: FactRef; value: unknown }[] {
    return this.facts.recorded.flatMap((slot) => {
      const value = this.values[slot];
      const { key, ref } = this.facts.slots[slot] ?? missing;
      return value === unread ? [] : [{ key, ref, value }];
    });
  }

  private fails(slot: number): boolean {
    try {
      this.value(slot);
      return false;
    } catch (error) {
      // The rules that read this fact report the error.
      if (!(error instanceof EvaluationError)) throw error;
      return true;
    }
  }

  private load(slot: number): unknown {
    const value = this.readAnew(slot);
    this.values[slot] = value;
    return value;
  }
}

const missing: Slot = { key: '', ref: { fact: 'without a slot' }, select: (value) => value };

function activityDate(activity: unknown): number {
  const date = typeof activity === 'object' && activity !== null && 'date' in activity ? activity.date : undefined;
  return instantMs(date);
}
