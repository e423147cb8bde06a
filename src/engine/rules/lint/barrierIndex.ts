import { pushTo } from '#base/common/lists/groupBy';
import type { RuleDefinition } from '../format/rule';
import { listComparisons } from '../language/condition';
import { isBarrier } from './comesFirst';
import { type Literal, readLiteral } from './literal';
import { valuesToTry } from './valuesToTry';

/** Maximum number of pairs of rules to compare: a few seconds. A pair with many conditions counts as several. */
const pairsMax = 100_000;
/** A pair counts once for this product: conditions of one rule times conditions of the other. */
const conditionsOfPair = 25;

/** A rule, and earlier rules that may prevent it from firing. */
export interface Shadowed {
  rule: RuleDefinition;
  barriers: readonly RuleDefinition[];
}

/**
 * Finds for each rule the earlier rules that may prevent it from firing. `rules` must be in rule order. A rule that
 * requires certain values of a fact can only prevent a rule that requires one of these values too. So most pairs are
 * never compared.
 */
export function barrierIndex(rules: readonly RuleDefinition[]): Shadowed[] {
  const byValue = new Map<string, RuleDefinition[]>();
  const others: RuleDefinition[] = [];
  let left = pairsMax;
  return rules.map((rule) => {
    const values = requiredValues(rule);
    const own = values.flatMap(([first]) => (first === undefined ? [] : (byValue.get(first) ?? [])));
    const size = listComparisons(rule.conditions).length;
    const barriers = [...others, ...new Set(own)].filter((first) => {
      left -= Math.ceil((listComparisons(first.conditions).length * size + 1) / conditionsOfPair);
      return left >= 0;
    });
    if (isBarrier(rule)) addTo(byValue, others, rule, values[0]);
    return { rule, barriers };
  });
}

function addTo(
  byValue: Map<string, RuleDefinition[]>,
  others: RuleDefinition[],
  rule: RuleDefinition,
  keys: string[] | undefined,
) {
  if (!keys) others.push(rule);
  for (const value of keys ?? []) pushTo(byValue, value, rule);
}

/** For each fact that must have certain values: these values, as strings. */
function requiredValues({ conditions }: RuleDefinition): string[][] {
  const literals =
    'all' in conditions ? conditions.all.flatMap((each) => ('fact' in each ? readLiteral(each, false) : [])) : [];
  return literals.flatMap((literal) => {
    const values = isEquality(literal) ? valuesToTry(literal) : undefined;
    return values ? [values.map((value) => `${literal.key} ${typeof value} ${String(value)}`)] : [];
  });
}

function isEquality({ operator, negated }: Literal): boolean {
  return !negated && (operator === 'equal' || operator === 'in');
}
