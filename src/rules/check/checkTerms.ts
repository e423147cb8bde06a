import { expiryFaults } from '../../points/ledger/termsFaults';
import type { RuleAction } from '../actions/list';
import type { ProgramDefinition } from '../format/definitions';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** Which fields each kind of term cannot do without. */
const needed = {
  escrow: { none: [], duration: ['value', 'unit'] },
  expiry: { none: [], rolling: ['value', 'unit'], calendar: ['month', 'day'], inactivity: ['value', 'unit'] },
} as const;

/**
 * Checks that the terms of an award say how long, as a purse policy's must. Inactivity is a date of the whole purse, so
 * only its policy can choose it.
 */
export function checkTerms(
  source: RuleSource,
  at: JsonPath,
  { purse, escrow, expiry }: RuleAction<'addPoints'>,
  { purses, inactivityPurses = [] }: ProgramDefinition,
): void {
  if (escrow) report(source, [...at, 'escrow'], escrow, needed.escrow[escrow.type]);
  if (!expiry) return;
  if (expiry.type === 'inactivity' && purses.includes(purse) && !inactivityPurses.includes(purse)) {
    const message = `points of ${purse} do not expire by inactivity; only its purse policy can say so`;
    source.error([...at, 'expiry', 'type'], message);
  }
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
