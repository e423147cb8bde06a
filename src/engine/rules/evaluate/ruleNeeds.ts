import { listOfFilter } from '../format/filterParams';
import type { Rule } from '../format/rule';
import { listComparisons, listNames } from '../language/condition';
import { daysSinceOccasion } from '../language/daysSinceParams';
import { type MetricSum, readAggregateParams } from '../language/factParams';
import type { FactRef } from '../language/factRef';
import { parsePath } from '../language/path';

/** What must be loaded before rules can be evaluated, in addition to what every activity needs. */
export interface RuleNeeds {
  /** The sums of the facts `aggregate` and `crossed` that rules read, without duplicates. */
  readonly aggregates: readonly MetricSum[];
  /** The segments with these names, or all segments if a rule reads the whole list. */
  readonly segments: { readonly names: readonly string[]; readonly all: boolean };
  /** The date of the member's latest earlier Accrual. */
  readonly lastVisit: boolean;
  /** The definitions of extension fields. */
  readonly ext: boolean;
  /** Named lists, by name and by hexadecimal id. */
  readonly lists: { readonly names: readonly string[]; readonly ids: readonly string[] };
}

/** The needs of no rules. */
export const noNeeds: RuleNeeds = {
  aggregates: [],
  lists: { names: [], ids: [] },
  segments: { names: [], all: false },
  lastVisit: false,
  ext: false,
};

/** The needs of rules that read these facts. */
export function collectRuleNeeds(rules: readonly Rule[], refs: readonly FactRef[]): RuleNeeds {
  const aggregates = refs.flatMap(({ fact, params }) =>
    fact === 'aggregate' || fact === 'crossed' ? (readAggregateParams(params) ?? []) : [],
  );
  const names = rules.flatMap(({ conditions }) => listComparisons(conditions).flatMap(comparedLists));
  const ids = refs.flatMap(({ params }) => listOfFilter(params) ?? []);
  return {
    aggregates: distinct(aggregates),
    lastVisit: refs.some(({ fact, params }) => fact === 'daysSince' && daysSinceOccasion(params) === 'lastVisit'),
    segments: neededSegments(rules, refs),
    ext: rules.some(({ actions }) => actions.some(({ type }) => type === 'setExt')),
    lists: { names: [...new Set(names)], ids: [...new Set(ids)] },
  };
}

function neededSegments(rules: readonly Rule[], refs: readonly FactRef[]): RuleNeeds['segments'] {
  const named = rules.flatMap(({ segments = [], actions, conditions }) => [
    ...segments,
    ...actions.flatMap((action) => ('segment' in action ? [action.segment] : [])),
    ...listComparisons(conditions)
      .filter(isOfSegments)
      .flatMap(({ value }) => listNames(value)),
  ]);
  const all = rules.some(({ conditions }) =>
    listComparisons(conditions).some((each) => isOfSegments(each) && !namesOnly(each.value)),
  );
  const dated = refs.flatMap(datedSegments);
  return { names: [...new Set([...named, ...dated])], all: all || refs.some(isWholeMember) };
}

/** The segments of which a reference reads since when the member is in them. */
function datedSegments({ fact, path, params }: FactRef): string[] {
  const of = fact === 'daysSince' ? daysSinceOccasion(params) : undefined;
  if (typeof of === 'object') return 'segment' in of ? [of.segment] : [];
  const [part, name] = fact === 'member' && path !== undefined ? parsePath(path) : [];
  const isDated = part?.all === false && part.name === 'segmentSince' && name?.all === false;
  return isDated ? [name.name] : [];
}

function isOfSegments({ fact, path }: FactRef): boolean {
  return fact === 'member' && path !== undefined && /^\$(?:\.segments\b|\['segments'\])/.test(path);
}

/** Tells whether a value has only names; then a comparison with it needs only the segments with these names. */
function namesOnly(value: unknown): boolean {
  return listNames(value).length === (Array.isArray(value) ? value.length : 1);
}

function isWholeMember({ fact, path }: FactRef): boolean {
  return (
    fact === 'member' &&
    (path === undefined || path === '$' || path === '$.segmentSince' || path.startsWith('$[') || path.startsWith('$.*'))
  );
}

function comparedLists({ operator, value }: { operator: string; value: unknown }): string[] {
  return operator.endsWith('inNamedList') ? listNames(value) : [];
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
