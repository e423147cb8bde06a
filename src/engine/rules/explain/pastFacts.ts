import { FactFrame, type FactSlots } from '../evaluate/factFrame';
import { isInHistory, recordsInHistory } from '../format/isInHistory';
import { type FactRef, refKey } from '../language/factRef';
import { parsePath, factAccessor as partAt } from '../language/path';
import { FactSnapshot, readSnapshotFact, seenAt } from './factSnapshot';

/** Thrown for a value that a past decision depended on and that the fact snapshot does not have. */
export class NotInSnapshot extends Error {
  override readonly name = 'NotKept';
}

/** The facts that a history itself contains. See `isInHistory` for the parts of the activity that it lacks. */
export interface HistoryFacts {
  activity: Readonly<Record<string, unknown>>;
  location?: unknown;
  partner?: unknown;
  now: Date;
}

/** The fact values of a past activity, from its history and its fact snapshot. */
export interface PastFacts {
  /**
   * The value that rules of a priority used.
   * @throws NotKept when the snapshot does not have the value
   */
  read(ref: FactRef, priority: number, line?: number): unknown;
  /**
   * The same, also for facts that are in the history itself.
   * @throws NotKept when neither has the value
   */
  partOf(ref: FactRef, priority: number): unknown;
  /** The facts that conditions of a priority read. With `line`: the facts for that line item. */
  frame(facts: FactSlots, priority: number, line?: number): FactFrame;
}

/**
 * The facts of a past activity.
 * @param reads the stored part of `Decision.factsRead`; undefined when nothing was stored, or the member was erased
 */
export function pastFacts(
  known: HistoryFacts,
  reads: readonly Readonly<Record<string, unknown>>[] | undefined,
): PastFacts {
  const values = new FactSnapshot((reads ?? []).flatMap(readSnapshotFact));
  const inHistory = (ref: FactRef) =>
    recordsInHistory.has(ref.fact) || (isInHistory(ref) && (reads !== undefined || !isPersonal(ref)));
  const read: PastFacts['read'] = (ref, priority, line) => {
    const seen = seenAt(values.of(ref, line) ?? [], priority);
    if (!seen || seen.isCut) throw new NotInSnapshot(`the value of ${refKey(ref)} was not kept`);
    return seen.value;
  };
  const frame: PastFacts['frame'] = (facts, priority, line) =>
    new SnapshotFrame(
      facts,
      (name) => fromHistory(name, known, line),
      (ref) => (inHistory(ref) ? undefined : { value: read(ref, priority, line) }),
    );
  const partOf: PastFacts['partOf'] = (ref, priority) =>
    inHistory(ref) ? partAt(ref.path)(fromHistory(ref.fact, known, undefined)) : read(ref, priority);
  return { read, partOf, frame };
}

/** Reads values from the snapshot when the history does not contain them. */
class SnapshotFrame extends FactFrame {
  constructor(
    facts: FactSlots,
    readFact: FactFrame['readFact'],
    private readonly keptValue: (ref: FactRef) => { value: unknown } | undefined,
  ) {
    super(facts, readFact);
  }

  override value(slot: number): unknown {
    const ref = this.facts.slots[slot]?.ref;
    const kept = ref && this.keptValue(ref);
    return kept ? kept.value : super.value(slot);
  }

  /** A list of a path with `[*]` is a new one each time, as when rules read it. */
  override readAnew(slot: number): unknown {
    const ref = this.facts.slots[slot]?.ref;
    const kept = ref && this.keptValue(ref);
    if (!kept) return super.readAnew(slot);
    return Array.isArray(kept.value) && hasEach(ref) ? [...kept.value] : kept.value;
  }
}

function hasEach({ path }: FactRef): boolean {
  return path !== undefined && parsePath(path).some((step) => step.all);
}

function fromHistory(name: string, known: HistoryFacts, line: number | undefined): unknown {
  if (name === 'activity' || name === 'location' || name === 'partner' || name === 'now') return known[name];
  if (name !== 'lineItem') throw new NotInSnapshot(`the fact ${name} was not kept`);
  const { lineItems } = known.activity;
  return line !== undefined && Array.isArray(lineItems) ? lineItems[line] : undefined;
}

/** The parts that erasing a member removes from its histories (see `forgetHistories`). Their absence proves nothing. */
function isPersonal({ path }: FactRef): boolean {
  const names = path === undefined ? [] : parsePath(path).map((step) => (step.all ? '*' : step.name));
  return names.length === 0 || names.some((name) => name === '*' || personal.has(name));
}

const personal: ReadonlySet<string> = new Set(['loyaltyID', 'referralCode', 'ext', 'tenderItems']);
