import type { LineItem } from '../../records/activities/activity';
import { eligibleBy } from '../../rules/evaluate/eligible';
import { noLists, type ResolvedLists } from '../../rules/evaluate/resolvedLists';
import { keptParams } from '../../rules/explain/keptParams';
import { linesText } from '../../rules/explain/linesText';
import type { Enriched } from '../../rules/format/enriched';
import { heldRecords } from '../../rules/format/historyHolds';
import type { FactRead } from '../../rules/language/decision';

/** Most facts that a history keeps, and the longest value as JSON. */
const limits = { factsMax: 200, valueMax: 1000, elementsMax: 20 } as const;

/**
 * The facts that a history keeps so that its decision can be explained later. A value that is too long has `cut` and, of
 * a list, its first elements; one that was not there has neither `value` nor `cut`.
 */
export function keptFacts(reads: readonly FactRead[], sold: SoldLines = noLines): Record<string, unknown>[] {
  return reads
    .filter(({ fact }) => !heldRecords.has(fact))
    .slice(0, limits.factsMax)
    .map(({ fact, params, value, ...read }) => ({
      ...{ fact, ...read, ...keptParams(params), ...keptValue(value) },
      ...(lineFacts.has(fact) ? countedLines(sold, params) : {}),
    }));
}

/** The line items of an activity with what rules saw of their products. */
export interface SoldLines {
  lineItems: readonly LineItem[];
  products: Enriched['products'];
  lists: ResolvedLists;
}

const noLines: SoldLines = { lineItems: [], products: new Map(), lists: noLists };

/** Facts that are sums over line items: which of them count is kept, so that a return of some can be decided. */
const lineFacts: ReadonlySet<string> = new Set(['eligibleAmount', 'eligibleQuantity']);

function countedLines({ lineItems, products, lists }: SoldLines, params: FactRead['params']): { lines?: string } {
  if (lineItems.length === 0) return {};
  const isEligible = eligibleBy({ products }, lists, params);
  const lines = linesText(lineItems.flatMap((item, line) => (isEligible(item) ? [line] : [])));
  return lines.length <= limits.valueMax ? { lines } : {};
}

function keptValue(value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (isShort(value)) return { value };
  const first = Array.isArray(value) ? value.slice(0, limits.elementsMax) : undefined;
  return { ...(first && isShort(first) ? { value: first } : {}), cut: true };
}

function isShort(value: unknown): boolean {
  const isText = typeof value === 'string';
  if (!isText && (typeof value !== 'object' || value === null)) return true;
  return (isText ? value : JSON.stringify(value)).length <= limits.valueMax;
}
