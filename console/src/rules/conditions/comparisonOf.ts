import { type Condition, fieldName } from '../schema/conditionQuery';
import { emptyOf } from '../schema/emptyOf';
import { shapeOf } from '../schema/fieldShape';
import { fittingRow } from '../schema/fittingRows';
import { paramsSchema, type RuleSchema } from '../schema/knownFacts';

/** A comparison of a fact, with the params that it needs and an operator and a value that fit. */
export function comparisonOf(
  schema: RuleSchema,
  named: Condition,
  { operator = 'equal', value }: { operator?: unknown; value?: unknown } = {},
): Condition {
  const shape = paramsShape(schema, String(named.fact));
  const params = named.params ?? (shape ? emptyOf(shape) : undefined);
  const whole = { ...named, ...(params === undefined ? {} : { params }) };
  const row = fittingRow({ field: fieldOf(whole), operator: String(operator), value }, true, schema);
  return { ...factOf(whole), operator: row.operator, value: row.value };
}

/** How the form shows the params of a fact; undefined when it has none. */
export function paramsShape(schema: RuleSchema, fact: string) {
  const own = paramsSchema(schema, fact);
  return own && shapeOf(own, schema, 'params');
}

/** What a comparison compares, without how and with what. */
export function factOf({ fact, path, params }: Condition): Condition {
  return { fact, ...(path === undefined ? {} : { path }), ...(params === undefined ? {} : { params }) };
}

/** What a comparison compares, as the query builder names it. */
export function fieldOf(condition: Condition): string {
  return fieldName(factOf(condition) as unknown as { fact: string });
}
