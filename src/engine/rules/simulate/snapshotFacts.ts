import { isPlainObject } from '#base/common/plainObject';
import type { FactSource } from '../decide/decideInput';
import { FactSnapshot, type Reading, type SnapshotFact, seenAt } from '../explain/factSnapshot';
import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';
import type { ProcessedActivity } from './processedActivity';

/** A part of a record, such as `$.birthDate` of the member, with its readings, highest priority first. */
interface Part {
  names: readonly string[];
  readings: Reading[];
}

/** Facts computed from data that is in no history. Only the fact snapshot has their values. */
const computedFacts: ReadonlySet<string> = new Set([
  'aggregate',
  'crossed',
  'isBirthday',
  'birthMonth',
  'daysSince',
  'isFirstActivity',
  'eligibleAmount',
  'eligibleQuantity',
  'tender',
]);

/**
 * The facts of a past activity as they were when it was processed. They come from the fact snapshot, never from present
 * records.
 */
export class SnapshotFacts {
  private readonly computed: FactSnapshot;
  /** Parts of the member and of the product of each line item. By `member` or {@link productKey}, then by path. */
  private readonly records = new Map<string, Map<string, Part>>();

  constructor(private readonly past: ProcessedActivity) {
    const isComputed = ({ fact }: SnapshotFact) => computedFacts.has(fact);
    // Computed facts belong to the whole activity, so they are found without a line item.
    this.computed = new FactSnapshot(past.facts.filter(isComputed).map(({ line: _line, ...read }) => read));
    for (const read of past.facts) this.keep(read);
  }

  /** Whether the value of a reference is known for this activity. */
  knows(ref: FactRef): boolean {
    if (ref.fact === 'member') return this.knowsPart('member', ref.path);
    if (ref.fact === 'product') return this.past.activity.lineItems.every((_, line) => this.knowsProduct(ref, line));
    if (!computedFacts.has(ref.fact)) return true;
    if (this.computed.of(ref)) return true;
    return isOfBirth(ref) && this.knowsPart('member', '$.birthDate');
  }

  /** The fact `member` from the snapshot, as rules of a priority read it. */
  member(priority: number): Record<string, unknown> {
    return this.record('member', priority);
  }

  /** Reads facts from the snapshot in place of computing them. */
  readonly recall: FactSource =
    (live, { priority, line }) =>
    (name, params) => {
      const readings = computedFacts.has(name)
        ? this.computed.of({ fact: name, ...(params && { params }) })
        : undefined;
      if (readings) return valueAt(readings, priority);
      const isKept = name === 'product' && this.records.has(productKey(line));
      return isKept ? this.record(productKey(line), priority) : live(name, params);
    };

  private keep({ fact, path, line, priority, value }: SnapshotFact): void {
    const reading = { priority, value };
    if (fact === 'member') this.keepPart('member', path, reading);
    else if (fact === 'product') this.keepPart(productKey(line), path, reading);
  }

  private keepPart(record: string, path: string | undefined, reading: Reading): void {
    const names = plainNames(path);
    // A list that `[*]` made does not say which part each value is from.
    if (!names) return;
    const parts = this.records.get(record) ?? new Map<string, Part>();
    this.records.set(record, parts);
    const key = names.join('\n');
    const part = parts.get(key);
    if (part) part.readings.push(reading);
    else parts.set(key, { names, readings: [reading] });
  }

  /** A part is known when the snapshot has it, or has a part that contains it. */
  private knowsPart(record: string, path: string | undefined): boolean {
    const parts = this.records.get(record);
    if (!parts) return false;
    const steps = plainStart(path);
    return steps.some((_, end) => parts.has(steps.slice(0, end + 1).join('\n'))) || parts.has('');
  }

  private knowsProduct(ref: FactRef, line: number): boolean {
    const sku = this.past.activity.lineItems[line]?.itemSKU;
    return this.past.enriched.products.has(sku ?? '') || this.knowsPart(productKey(line), ref.path);
  }

  private record(key: string, priority: number): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const { names, readings } of this.records.get(key)?.values() ?? [])
      put(record, names, valueAt(readings, priority));
    return record;
  }
}

function isOfBirth({ fact }: FactRef): boolean {
  return fact === 'isBirthday' || fact === 'birthMonth';
}

function productKey(line: number | undefined): string {
  return `product ${line ?? ''}`;
}

/** The last reading of this or a higher priority. When there is none, the first reading of a lower priority. */
function valueAt(readings: readonly Reading[], priority: number): unknown {
  return (seenAt(readings, priority) ?? readings[0])?.value;
}

const parsed = new Map<string, { names: readonly string[]; isPlain: boolean }>();

/** The steps of a path up to the first `[*]`. Cached: rules have only a few different paths. */
function parse(path: string | undefined) {
  const known = parsed.get(path ?? '$');
  if (known) return known;
  const steps = parsePath(path ?? '$');
  const firstOfAll = steps.findIndex(({ all }) => all);
  const plain = firstOfAll < 0 ? steps : steps.slice(0, firstOfAll);
  const made = { names: plain.flatMap((step) => (step.all ? [] : [step.name])), isPlain: firstOfAll < 0 };
  if (parsed.size >= parsedMax) parsed.clear();
  parsed.set(path ?? '$', made);
  return made;
}

const parsedMax = 10_000;

function plainStart(path: string | undefined): readonly string[] {
  return parse(path).names;
}

function plainNames(path: string | undefined): readonly string[] | undefined {
  const { names, isPlain } = parse(path);
  return isPlain ? names : undefined;
}

/** Puts a value at its path in a record. A missing value leaves the record as it is. */
function put(record: Record<string, unknown>, names: readonly string[], value: unknown): void {
  if (value === undefined) return;
  if (names.length === 0) {
    Object.assign(record, value);
    return;
  }
  let at = record;
  for (const name of names.slice(0, -1)) {
    const next = at[name];
    // The list is stored as a whole, so it already contains this element.
    if (Array.isArray(next)) return;
    const inner: Record<string, unknown> = isPlainObject(next) ? { ...next } : {};
    at[name] = inner;
    at = inner;
  }
  at[names.at(-1) ?? ''] = value;
}
