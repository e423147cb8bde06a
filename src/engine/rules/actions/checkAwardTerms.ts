import { message, pickMessage } from '#base/common/messages/message';
import { expiryFaults } from '#engine/points/ledger/termsFaults';
import type { EscrowTerms, ExpiryTerms } from '#records/points/terms';
import type { JsonPath } from '../source/ruleSource';
import type { ActionCheck } from './action';

/** The fields that each kind of term requires. */
const needed = {
  escrow: { none: [], duration: ['value', 'unit'] },
  expiry: { none: [], rolling: ['value', 'unit'], calendar: ['month', 'day'], inactivity: ['value', 'unit'] },
} as const;

/** Checks that the terms of an award are complete. The terms of a purse policy follow the same rules. */
export function checkAwardTerms(
  { escrow, expiry }: { escrow?: EscrowTerms; expiry?: ExpiryTerms },
  check: ActionCheck,
): void {
  if (escrow) reportMissing(check, ['escrow'], escrow, needed.escrow[escrow.type]);
  if (!expiry) return;
  reportMissing(check, ['expiry'], expiry, needed.expiry[expiry.type]);
  for (const fault of expiryFaults(expiry)) {
    // Missing fields are already reported above, all in one message.
    if (fault.kind !== 'required') check.error(fault.path.split('.'), pickMessage(fault));
  }
}

function reportMissing(check: ActionCheck, at: JsonPath, terms: { type: string }, fields: readonly string[]): void {
  const missing = fields.filter((name) => !(name in terms));
  if (missing.length > 0)
    check.error(at, message('rules.actionNeeds', { type: terms.type, missing: missing.join(' and ') }));
}
