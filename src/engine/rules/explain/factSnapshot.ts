import { pushTo } from '#base/common/lists/groupBy';
import { isPlainObject } from '#base/common/plainObject';
import { readAggregateParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { snapshotParams } from './snapshotParams';

/** A fact value in the fact snapshot of a history. */
export interface SnapshotFact extends FactRef {
  /** SHA-256 of the params, in place of long params. */
  paramsHash?: string;
  /** Position of the line item that the value belongs to. */
  line?: number;
  priority: number;
  value: unknown;
  /** The value was too long, so only a part of it is stored. */
  isCut?: boolean;
  /** Only for eligibleAmount and eligibleQuantity: the line items that counted, as {@link linesText} writes them. */
  lines?: string;
}

/** A value that rules of this and lower priorities read, until a reading of a lower priority replaces it. */
export type Reading = Pick<SnapshotFact, 'priority' | 'value' | 'isCut'>;

/** Parses a stored fact value; an empty list when it is not one. */
export function readSnapshotFact(stored: Readonly<Record<string, unknown>>): SnapshotFact[] {
  const { fact, path, params, paramsHash, line, priority, value, cut, lines } = stored;
  if (typeof fact !== 'string' || typeof priority !== 'number') return [];
  return [
    {
      fact,
      priority,
      value,
      isCut: cut === true,
      ...(typeof path === 'string' ? { path } : {}),
      ...(isPlainObject(params) ? { params } : {}),
      ...(typeof paramsHash === 'string' ? { paramsHash } : {}),
      ...(typeof line === 'number' ? { line } : {}),
      ...(typeof lines === 'string' ? { lines } : {}),
    },
  ];
}

/** The fact snapshot of a past activity. Finds values by reference. */
export class FactSnapshot {
  private readonly byRef = new Map<string, Reading[]>();

  /** @param reads the readings of each reference must be in the order of reading, highest priority first */
  constructor(reads: readonly SnapshotFact[]) {
    for (const read of reads) pushTo(this.byRef, snapshotKey(read, read.line), read);
  }

  /** The readings of a reference, highest priority first; undefined when the snapshot has none. */
  of(ref: FactRef, line?: number): readonly Reading[] | undefined {
    return (
      this.byRef.get(snapshotKey(ref, line)) ??
      (line === undefined ? undefined : this.byRef.get(snapshotKey(ref, undefined)))
    );
  }
}

/** The reading that rules of a priority used: the last one of this or a higher priority. */
export function seenAt(readings: readonly Reading[], priority: number): Reading | undefined {
  return readings.findLast((reading) => reading.priority >= priority);
}

/** The same key for references to the same value, whether the snapshot has their params or only the hash. */
function snapshotKey(
  { fact, path = '$', params, paramsHash }: FactRef & { paramsHash?: string },
  line: number | undefined,
) {
  const aggregate = fact === 'aggregate' ? readAggregateParams(params) : undefined;
  const kept = paramsHash === undefined ? snapshotParams(aggregate ? { ...aggregate } : params) : { paramsHash };
  return JSON.stringify([fact, path, kept, line]);
}
