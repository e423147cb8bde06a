import type { WrittenCondition } from '../check/checkConditions';
import type { Comparison } from '../language/condition';
import type { JsonPath, RuleSource, SourcePosition } from '../source/ruleSource';
import { isWritten } from './namedConditions';
import { resolvedComparison } from './plainDates';

/** Conditions with their position in a file. */
interface PlacedConditions {
  source: RuleSource;
  /** Path of the rule or named condition that contains them. */
  at: JsonPath;
  conditions: unknown;
}

/** The position of each comparison in the files. A comparison that several rules share appears once. */
export function comparisonPositions(placed: readonly PlacedConditions[]): Map<Comparison, SourcePosition> {
  const found = new Map<Comparison, SourcePosition>();
  for (const { source, at, conditions } of placed) {
    if (isWritten(conditions)) gather(source, [...at, 'conditions'], conditions, found);
  }
  return found;
}

function gather(
  source: RuleSource,
  at: JsonPath,
  node: WrittenCondition,
  found: Map<Comparison, SourcePosition>,
): void {
  if ('not' in node) gather(source, [...at, 'not'], node.not, found);
  else if ('fact' in node) {
    const read = resolvedComparison(node);
    if (!found.has(read)) found.set(read, source.placeOf([...at, 'value']));
  } else if (!('condition' in node)) {
    const [word, children] = 'all' in node ? (['all', node.all] as const) : (['any', node.any] as const);
    for (const [index, child] of children.entries()) gather(source, [...at, word, index], child, found);
  }
}
