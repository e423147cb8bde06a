import { expiryFaults } from '../../points/ledger/termsFaults';
import type { EscrowTerms, ExpiryTerms } from '../../records/points/terms';
import type { JsonPath } from '../source/ruleSource';
import type { ActionCheck } from './action';

/** Which fields each kind of term cannot do without. */
const needed = {
  escrow: { none: [], duration: ['value', 'unit'] },
  expiry: { none: [], rolling: ['value', 'unit'], calendar: ['month', 'day'], inactivity: ['value', 'unit'] },
} as const;

/** Checks that the terms of an award say how long, as a purse policy's must. */
export function checkAwardTerms(
  { escrow, expiry }: { escrow?: EscrowTerms; expiry?: ExpiryTerms },
  check: ActionCheck,
): void {
  if (escrow) reportMissing(check, ['escrow'], escrow, needed.escrow[escrow.type]);
  if (!expiry) return;
  reportMissing(check, ['expiry'], expiry, needed.expiry[expiry.type]);
  for (const { path, kind, message } of expiryFaults(expiry)) {
    // What is missing is told above, in one line.
    if (kind !== 'required') check.error(path.split('.'), message);
  }
}

function reportMissing(check: ActionCheck, at: JsonPath, terms: { type: string }, fields: readonly string[]): void {
  const missing = fields.filter((name) => !(name in terms));
  if (missing.length > 0) check.error(at, `${terms.type} needs ${missing.join(' and ')}`);
}
