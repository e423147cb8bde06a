import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';

/**
 * Whether an activity's history holds what a reference reads. Not of what the service fills in or rules change: the
 * member and program, extension fields, products; nor of other facts. Those values are kept beside the history.
 */
export function historyHolds({ fact, path }: FactRef): boolean {
  if (fact !== 'activity' && fact !== 'lineItem') return false;
  const names = path === undefined ? [] : parsePath(path).map((step) => (step.all ? '*' : step.name));
  return !overwritten.has(names[0] ?? '') && !names.includes('product');
}

/** Facts that are kept as records of the history, whole, whatever rules look at. */
export const heldRecords: ReadonlySet<string> = new Set(['location', 'partner', 'now']);

const overwritten: ReadonlySet<string> = new Set(['memberID', 'program', 'ext']);
