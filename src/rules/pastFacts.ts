import { FactFrame, type FactSlots } from './factFrame';
import { type FactRef, refKey } from './factRef';
import { heldRecords, historyHolds } from './historyHolds';
import { keptParams } from './keptParams';
import { parsePath } from './path';

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

interface KeptValue {
  priority: number;
  /** It was too long to be kept as a whole. */
  isCut: boolean;
  value: unknown;
}

/**
 * The facts of a past activity.
 * @param reads what was kept of `Decision.factsRead`; undefined when nothing was, or it was erased with the member
 */
export function pastFacts(held: HeldFacts, reads: readonly Readonly<Record<string, unknown>>[] | undefined): PastFacts {
  const values = valuesByRef(reads ?? []);
  const inHistory = (ref: FactRef) =>
    heldRecords.has(ref.fact) || (historyHolds(ref) && (reads !== undefined || !isPersonal(ref)));
  const read: PastFacts['read'] = (ref, priority, line) => {
    const kept = values.get(keyOf(ref, line)) ?? values.get(keyOf(ref, undefined));
    const seen = kept?.findLast((each) => each.priority >= priority);
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

/** By priority, the highest first, as they were read. */
function valuesByRef(reads: readonly Readonly<Record<string, unknown>>[]): Map<string, KeptValue[]> {
  const values = new Map<string, KeptValue[]>();
  for (const { fact, path = '$', params, paramsHash, line, priority, value, cut } of reads) {
    if (typeof priority !== 'number') continue;
    const asked = isRecord(params) ? { params } : typeof paramsHash === 'string' ? { paramsHash } : {};
    const key = textOf([fact, path, asked, line]);
    const read = { priority, value, isCut: cut === true };
    const known = values.get(key);
    if (known) known.push(read);
    else values.set(key, [read]);
  }
  return values;
}

function keyOf({ fact, path = '$', params }: FactRef, line: number | undefined): string {
  return textOf([fact, path, keptParams(params), line]);
}

function textOf(parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What erasing a member takes out of its histories (see `forgetHistories`), so that what is missing tells nothing. */
function isPersonal({ path }: FactRef): boolean {
  const names = path === undefined ? [] : parsePath(path).map((step) => (step.all ? '*' : step.name));
  return names.length === 0 || names.some((name) => name === '*' || personal.has(name));
}

const personal: ReadonlySet<string> = new Set(['loyaltyID', 'referralCode', 'ext', 'tenderItems']);
