import { message, pickMessage } from '#base/common/messages/message';
import { expiryFaults } from '#engine/points/ledger/termsFaults';
import { type ExpiryTerms, expiryKind } from '#records/points/expiry/expiryTerms';
import type { EscrowTerms } from '#records/points/terms';
import type { JsonPath } from '../source/ruleSource';
import type { ActionCheck } from './action';

/** Checks that the terms of an award are complete. The terms of a purse policy follow the same rules. */
export function checkAwardTerms(
  { escrow, expiry }: { escrow?: EscrowTerms; expiry?: ExpiryTerms },
  check: ActionCheck,
): void {
  if (escrow?.type === 'duration') reportMissing(check, ['escrow'], escrow, ['value', 'unit']);
  if (!expiry) return;
  reportMissing(check, ['expiry'], expiry, expiryKind(expiry).needs);
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
