import { expiryFaults } from '../points/termsFaults';
import type { RuleAction } from './actions/list';
import type { JsonPath, RuleSource } from './ruleSource';

/** Which fields each kind of term cannot do without (DESIGN 9). */
const needed = {
  escrow: { none: [], duration: ['value', 'unit'] },
  expiry: { none: [], rolling: ['value', 'unit'], calendar: ['month', 'day'], inactivity: ['value', 'unit'] },
} as const;

/** Checks that the terms of an award say how long, as a purse policy's must. */
export function checkTerms(source: RuleSource, at: JsonPath, { escrow, expiry }: RuleAction<'addPoints'>): void {
  if (escrow) report(source, [...at, 'escrow'], escrow, needed.escrow[escrow.type]);
  if (!expiry) return;
  report(source, [...at, 'expiry'], expiry, needed.expiry[expiry.type]);
  for (const { path, kind, message } of expiryFaults(expiry)) {
    // What is missing is told above, in one line.
    if (kind !== 'required') source.error([...at, ...path.split('.')], message);
  }
}

function report(source: RuleSource, at: JsonPath, terms: { type: string }, fields: readonly string[]): void {
  const missing = fields.filter((name) => !(name in terms));
  if (missing.length > 0) source.error(at, `${terms.type} needs ${missing.join(' and ')}`);
}
