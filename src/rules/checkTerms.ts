import type { RuleAction } from './actions/list';
import type { JsonPath, RuleSource } from './ruleSource';

/** Which fields each kind of term cannot do without (DESIGN 9). */
const needed = {
  escrow: { none: [], duration: ['value', 'unit'] },
  expiry: { none: [], rolling: ['value', 'unit'], calendar: ['month', 'day'], inactivity: ['value', 'unit'] },
} as const;

/** Checks that the terms of an award say how long. */
export function checkTerms(source: RuleSource, at: JsonPath, { escrow, expiry }: RuleAction<'addPoints'>): void {
  if (escrow) report(source, [...at, 'escrow'], escrow, needed.escrow[escrow.type]);
  if (expiry) report(source, [...at, 'expiry'], expiry, needed.expiry[expiry.type]);
}

function report(source: RuleSource, at: JsonPath, terms: { type: string }, fields: readonly string[]): void {
  const missing = fields.filter((name) => !(name in terms));
  if (missing.length > 0) source.error(at, `${terms.type} needs ${missing.join(' and ')}`);
}
