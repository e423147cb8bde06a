import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';

/**
 * Whether the history of an activity contains the value of a reference. This is so for the activity and its line items,
 * but not for parts that the service fills in or rules change: member, program, extension fields and products. Values
 * of all other facts go into the fact snapshot.
 */
export function isInHistory({ fact, path }: FactRef): boolean {
  if (fact !== 'activity' && fact !== 'lineItem') return false;
  const names = path === undefined ? [] : parsePath(path).map((step) => (step.all ? '*' : step.name));
  return !overwritten.has(names[0] ?? '') && !names.includes('product');
}

/** The facts that a history always contains as a whole. */
export const recordsInHistory: ReadonlySet<string> = new Set(['location', 'partner', 'now']);

const overwritten: ReadonlySet<string> = new Set(['memberID', 'program', 'ext']);
