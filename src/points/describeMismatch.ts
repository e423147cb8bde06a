import type { Orphans } from './orphans';
import type { Mismatch } from './reconcile';

/** A finding of a reconciliation as one line for people. */
export function describeMismatch(found: Mismatch | Orphans): string {
  if ('message' in found) return found.message;
  return `${found.rows} rows in ${found.collection} belong to member ${found.member}, who does not exist`;
}
