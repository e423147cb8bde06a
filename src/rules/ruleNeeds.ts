import type { PeriodUnit } from '../aggregates/periods';
import { comparisonsOf, listNames } from './condition';
import { listOfFilter } from './eligible';
import { askedAggregate } from './factParams';
import type { FactRef } from './factRef';
import type { Rule } from './rule';

/** What must be loaded before rules can be evaluated, beside what every activity needs. */
export interface RuleNeeds {
  /** Metrics and periods that the fact `aggregate` is asked for, each once. */
  readonly aggregates: readonly { metric: string; period: PeriodUnit }[];
  /** The products of the line items. */
  readonly products: boolean;
  /** Named lists, by name and by hexadecimal id. */
  readonly lists: { readonly names: readonly string[]; readonly ids: readonly string[] };
}

/** Nothing. */
export const noNeeds: RuleNeeds = { aggregates: [], products: false, lists: { names: [], ids: [] } };

/** What rules that look at these facts need. */
export function needsOf(rules: readonly Rule[], refs: readonly FactRef[]): RuleNeeds {
  const aggregates = refs.flatMap(({ fact, params }) => (fact === 'aggregate' ? (askedAggregate(params) ?? []) : []));
  const names = rules.flatMap(({ conditions }) => comparisonsOf(conditions).flatMap(listsOf));
  const ids = refs.flatMap(({ params }) => listOfFilter(params) ?? []);
  const looksUp = rules.some(({ actions }) => actions.some(({ type }) => type === 'lookupProducts'));
  return {
    aggregates: distinct(aggregates),
    products: looksUp || names.length > 0 || refs.some(({ fact }) => productFacts.has(fact)),
    lists: { names: [...new Set(names)], ids: [...new Set(ids)] },
  };
}

const productFacts: ReadonlySet<string> = new Set(['product', 'eligibleAmount', 'eligibleQuantity']);

function listsOf({ operator, value }: { operator: string; value: unknown }): string[] {
  return operator.endsWith('inNamedList') ? listNames(value) : [];
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
