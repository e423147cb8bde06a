import type { PeriodUnit } from '../aggregates/periods';
import { askedAggregate } from './factParams';
import type { FactRef } from './factRef';

/** What must be loaded before rules can be evaluated, beside what every activity needs. */
export interface RuleNeeds {
  /** Metrics and periods that the fact `aggregate` is asked for, each once. */
  readonly aggregates: readonly { metric: string; period: PeriodUnit }[];
}

/** What is needed by rules that look at these facts. */
export function needsOf(refs: readonly FactRef[]): RuleNeeds {
  const aggregates = refs.flatMap(({ fact, params }) => (fact === 'aggregate' ? (askedAggregate(params) ?? []) : []));
  return { aggregates: distinct(aggregates) };
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
