import type { Condition } from '../language/condition';
import { contradict } from './contradict';
import { type Literal, readLiteral } from './literal';

/** A condition that must hold. When negated, it must not hold. */
export interface Demand {
  condition: Condition;
  negated: boolean;
}

/** Maximum number of alternatives to try; the search then ends without a result. Several `any` multiply. */
const alternativesMax = 200;

/** Whether demands can never be met together. True only when this is certain. */
export function isUnsatisfiable(demands: readonly Demand[]): boolean {
  return new Search().isImpossible(demands, new Map(), []);
}

/** Demands of which at least one must be met. */
type Alternatives = readonly Demand[];

class Search {
  private left = alternativesMax;

  isImpossible(
    demands: readonly Demand[],
    known: ReadonlyMap<string, readonly Literal[]>,
    open: readonly Alternatives[],
  ): boolean {
    const literals = new Map(known);
    const alternatives = [...open];
    for (const demand of demands) if (!gather(demand, literals, alternatives)) return true;
    for (const [slot, some] of literals) if (known.get(slot) !== some && contradict(some)) return true;
    const [next, ...rest] = alternatives;
    if (!next) return false;
    this.left -= next.length;
    return this.left >= 0 && next.every((each) => this.isImpossible([each], literals, rest));
  }
}

/** Adds the literals and alternatives of a demand. Returns false when the demand can never be met. */
function gather(
  { condition, negated }: Demand,
  literals: Map<string, readonly Literal[]>,
  open: Alternatives[],
): boolean {
  if ('not' in condition) return gather({ condition: condition.not, negated: !negated }, literals, open);
  if ('fact' in condition) {
    const literal = readLiteral(condition, negated);
    literals.set(literal.key, [...(literals.get(literal.key) ?? []), literal]);
    return true;
  }
  const isAll = 'all' in condition;
  const children = isAll ? condition.all : condition.any;
  // An empty `all` and an empty `any` both hold.
  if (children.length === 0) return !negated;
  const demands = children.map((child) => ({ condition: child, negated }));
  if (isAll !== negated) return demands.every((each) => gather(each, literals, open));
  open.push(demands);
  return true;
}
