import type { RuleDraft } from '../format/rule';
import { comparisonsOf } from '../language/condition';
import { candidates } from './candidates';
import { isBarrier } from './comesFirst';
import { type Literal, literalOf } from './literal';

/** How many pairs of rules are compared: a few seconds. Those of many conditions count as several. */
const pairsMax = 100_000;
/** Conditions of both rules, multiplied, that count as one pair. */
const conditionsOfPair = 25;

/** A rule with those that may come before it. */
export interface Shadowed {
  rule: RuleDraft;
  barriers: readonly RuleDraft[];
}

/**
 * For each rule, given in rule order, those before it that might keep it from firing. A rule that asks for certain values
 * of a fact keeps out only one that asks for one of them too, so most pairs are never looked at.
 */
export function barrierIndex(rules: readonly RuleDraft[]): Shadowed[] {
  const byValue = new Map<string, RuleDraft[]>();
  const others: RuleDraft[] = [];
  let left = pairsMax;
  return rules.map((rule) => {
    const values = askedValues(rule);
    const own = values.flatMap(([first]) => (first === undefined ? [] : (byValue.get(first) ?? [])));
    const size = comparisonsOf(rule.conditions).length;
    const barriers = [...others, ...new Set(own)].filter((first) => {
      left -= Math.ceil((comparisonsOf(first.conditions).length * size + 1) / conditionsOfPair);
      return left >= 0;
    });
    if (isBarrier(rule)) addTo(byValue, others, rule, values[0]);
    return { rule, barriers };
  });
}

function addTo(byValue: Map<string, RuleDraft[]>, others: RuleDraft[], rule: RuleDraft, asked: string[] | undefined) {
  if (!asked) others.push(rule);
  for (const value of asked ?? []) {
    const known = byValue.get(value);
    if (known) known.push(rule);
    else byValue.set(value, [rule]);
  }
}

/** For each fact of which a rule asks for certain values, these as texts. */
function askedValues({ conditions }: RuleDraft): string[][] {
  const literals =
    'all' in conditions ? conditions.all.flatMap((each) => ('fact' in each ? literalOf(each, false) : [])) : [];
  return literals.flatMap((literal) => {
    const values = isEquality(literal) ? candidates(literal) : undefined;
    return values ? [values.map((value) => `${literal.slot} ${typeof value} ${String(value)}`)] : [];
  });
}

function isEquality({ operator, negated }: Literal): boolean {
  return !negated && (operator === 'equal' || operator === 'in');
}
