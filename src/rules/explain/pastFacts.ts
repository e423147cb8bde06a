import { FactFrame, type FactSlots } from '../evaluate/factFrame';
import { heldRecords, historyHolds } from '../format/historyHolds';
import { type FactRef, refKey } from '../language/factRef';
import { parsePath } from '../language/path';
import { KeptValues, keptReadOf, seenAt } from './keptValues';

/** A value that a past decision depended on and that was not kept. */
export class NotKept extends Error {
  override readonly name = 'NotKept';
}

/** Facts as a history holds them; see `historyHolds` for what of the activity it does not. */
export interface HeldFacts {
  activity: Readonly<Record<string, unknown>>;
  location?: unknown;
  partner?: unknown;
  now: Date;
}

/** The fact values of a past activity: those of its history, and those kept beside it. */
export interface PastFacts {
  /**
   * The value that rules of a priority saw.
   * @throws NotKept when it is not known
   */
  read(ref: FactRef, priority: number, line?: number): unknown;
  /** The facts as conditions of a priority read them, of a line item when one is given. */
  frame(facts: FactSlots, priority: number, line?: number): FactFrame;
}

/**
 * The facts of a past activity.
 * @param reads what was kept of `Decision.factsRead`; undefined when nothing was, or it was erased with the member
 */
export function pastFacts(held: HeldFacts, reads: readonly Readonly<Record<string, unknown>>[] | undefined): PastFacts {
  const values = new KeptValues((reads ?? []).flatMap(keptReadOf));
  const inHistory = (ref: FactRef) =>
    heldRecords.has(ref.fact) || (historyHolds(ref) && (reads !== undefined || !isPersonal(ref)));
  const read: PastFacts['read'] = (ref, priority, line) => {
    const seen = seenAt(values.of(ref, line) ?? [], priority);
    if (!seen || seen.isCut) throw new NotKept(`the value of ${refKey(ref)} was not kept`);
    return seen.value;
  };
  const frame: PastFacts['frame'] = (facts, priority, line) =>
    new KeptFrame(
      facts,
      (name) => fromHistory(name, held, line),
      (ref) => (inHistory(ref) ? undefined : { value: read(ref, priority, line) }),
    );
  return { read, frame };
}

/** Reads kept values where the history does not hold them. */
class KeptFrame extends FactFrame {
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
}

function fromHistory(name: string, held: HeldFacts, line: number | undefined): unknown {
  if (name === 'activity' || name === 'location' || name === 'partner' || name === 'now') return held[name];
  if (name !== 'lineItem') throw new NotKept(`the fact ${name} was not kept`);
  const { lineItems } = held.activity;
  return line !== undefined && Array.isArray(lineItems) ? lineItems[line] : undefined;
}

/** What erasing a member takes out of its histories (see `forgetHistories`), so that what is missing tells nothing. */
function isPersonal({ path }: FactRef): boolean {
  const names = path === undefined ? [] : parsePath(path).map((step) => (step.all ? '*' : step.name));
  return names.length === 0 || names.some((name) => name === '*' || personal.has(name));
}

const personal: ReadonlySet<string> = new Set(['loyaltyID', 'referralCode', 'ext', 'tenderItems']);
