import { type ComparisonRow, type ConditionGroup, namedField } from './conditionQuery';
import { type Comparing, comparing, type RuleSchema } from './knownFacts';

/** Operators with a list as value. */
export const ofLists: readonly string[] = ['in', 'notIn', 'between'];

/**
 * The changed query, with an operator and a value that fit in every row whose fact or operator was chosen again. All
 * other rows are as they were.
 */
export function withFittingRows(before: ConditionGroup, after: ConditionGroup, schema: RuleSchema): ConditionGroup {
  const known = new Map(rowsOf(before).map((row) => [row.id, row]));
  const fitted = (part: ConditionGroup | ComparisonRow): ConditionGroup | ComparisonRow => {
    if ('rules' in part) return { ...part, rules: part.rules.map((each) => fitted(each as ComparisonRow)) };
    const was = known.get(part.id);
    if (!was || (was.field === part.field && was.operator === part.operator)) return part;
    return fittingRow(part, was.field !== part.field, schema);
  };
  return fitted(after) as ConditionGroup;
}

/**
 * The comparison with an operator and a value that fit its fact.
 * @param isOtherFact whether its fact was chosen again, or only its operator
 */
export function fittingRow(row: ComparisonRow, isOtherFact: boolean, schema: RuleSchema): ComparisonRow {
  const named = namedField(row.field);
  if ('condition' in named) return row;
  const compared = comparing(schema, named.fact, named.path);
  const isKnown = compared?.operators.some(({ name }) => name === row.operator) ?? true;
  const operator = isKnown ? row.operator : (compared?.operators[0]?.name ?? row.operator);
  const plain = Array.isArray(row.value) ? row.value[0] : row.value;
  const value = isOtherFact && !isOfKind(plain, compared) ? firstValue(compared) : plain;
  return { ...row, operator, value: valueFor(operator, value, row.value) };
}

function valueFor(operator: string, value: unknown, before: unknown): unknown {
  if (operator === 'isEmpty') return typeof before === 'boolean' ? before : true;
  if (operator === 'between') return Array.isArray(before) && before.length === 2 ? before : [value, value];
  if (ofLists.includes(operator)) return Array.isArray(before) && before[0] === value ? before : [value];
  return value;
}

function isOfKind(value: unknown, compared: Comparing | undefined): boolean {
  const { kind = 'any' } = compared ?? {};
  if (kind === 'number' || kind === 'boolean') return typeof value === kind;
  return kind === 'any' || kind === 'list' || kind === 'object' || typeof value === 'string';
}

function firstValue(compared: Comparing | undefined): unknown {
  if (compared?.kind === 'number') return 0;
  if (compared?.kind === 'boolean') return true;
  return compared?.values[0] ?? '';
}

function rowsOf({ rules }: ConditionGroup): ComparisonRow[] {
  return rules.flatMap((part) => ('rules' in part ? rowsOf(part as ConditionGroup) : (part as ComparisonRow)));
}
