import type { RuleDraft } from '../rule';
import { candidates } from './candidates';
import { isBarrier } from './comesFirst';
import { type Literal, literalOf } from './literal';

/** How many pairs of rules are compared; thousands of rules that stop and ask for no value in common would take minutes. */
const pairsMax = 200_000;

/** A rule with those that may come before it. */
export interface Shadowed {
  rule: RuleDraft;
  barriers: readonly RuleDraft[];
}

/**
 * For each rule those that might keep it from firing. A rule that asks for certain values of a fact comes before another
 * only when that asks for one of them too, so most pairs are never looked at.
 */
export function barrierIndex(rules: readonly RuleDraft[]): Shadowed[] {
  const byValue = new Map<string, RuleDraft[]>();
  const others: RuleDraft[] = [];
  for (const rule of rules.filter(isBarrier)) {
    const [asked] = askedValues(rule);
    if (!asked) others.push(rule);
    for (const value of asked ?? []) byValue.set(value, [...(byValue.get(value) ?? []), rule]);
  }
  let left = pairsMax;
  return rules.map((rule) => {
    const own = askedValues(rule).flatMap(([first]) => (first === undefined ? [] : (byValue.get(first) ?? [])));
    const barriers = [...new Set([...others, ...own])].filter((each) => each !== rule).slice(0, Math.max(0, left));
    left -= barriers.length;
    return { rule, barriers };
  });
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
