import { askedAggregate } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { keptParams } from './keptParams';

/** A fact value as a history keeps it. */
export interface KeptRead extends FactRef {
  /** In place of long params. */
  paramsHash?: string;
  /** Position of the line item that it is of. */
  line?: number;
  priority: number;
  value: unknown;
  /** The value was too long to be kept as a whole. */
  isCut?: boolean;
  /** Of the facts eligibleAmount and eligibleQuantity: which line items counted, as {@link linesText} writes it. */
  lines?: string;
}

/** A value that rules read, from this priority down. */
export type Reading = Pick<KeptRead, 'priority' | 'value' | 'isCut'>;

/** What a history stored of a fact value; nothing when it is none. */
export function keptReadOf(stored: Readonly<Record<string, unknown>>): KeptRead[] {
  const { fact, path, params, paramsHash, line, priority, value, cut, lines } = stored;
  if (typeof fact !== 'string' || typeof priority !== 'number') return [];
  return [
    {
      ...{ fact, priority, value, isCut: cut === true },
      ...(typeof path === 'string' ? { path } : {}),
      ...(isRecord(params) ? { params } : {}),
      ...(typeof paramsHash === 'string' ? { paramsHash } : {}),
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof lines === 'string' ? { lines } : {}),
    },
  ];
}

/** The values kept of a past activity, found by what was asked. */
export class KeptValues {
  private readonly byRef = new Map<string, Reading[]>();

  /** @param reads of one reference highest priority first, as they were read */
  constructor(reads: readonly KeptRead[]) {
    for (const read of reads) {
      const key = keyOf(read, read.line);
      const known = this.byRef.get(key);
      if (known) known.push(read);
      else this.byRef.set(key, [read]);
    }
  }

  /** The readings of a reference, highest priority first; undefined when none was kept. */
  of(ref: FactRef, line?: number): readonly Reading[] | undefined {
    return this.byRef.get(keyOf(ref, line)) ?? (line === undefined ? undefined : this.byRef.get(keyOf(ref, undefined)));
  }
}

/** The reading that rules of a priority saw: the last for it or a higher one. */
export function seenAt(readings: readonly Reading[], priority: number): Reading | undefined {
  return readings.findLast((reading) => reading.priority >= priority);
}

/** The same for references that read the same value, whether their params were kept or only the hash of them. */
function keyOf({ fact, path = '$', params, paramsHash }: FactRef & { paramsHash?: string }, line: number | undefined) {
  const asked = fact === 'aggregate' ? askedAggregate(params) : undefined;
  const kept = paramsHash === undefined ? keptParams(asked ?? params) : { paramsHash };
  return JSON.stringify([fact, path, kept, line]);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
