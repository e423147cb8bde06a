import { emptyOf } from './emptyOf';
import { fieldsOf } from './fieldShape';
import type { RuleSchema } from './knownFacts';

/** An action with the params that it needs. */
export function newAction(schema: RuleSchema, type: string): Record<string, unknown> {
  const needed = fieldsOf(schema.$defs[type] ?? {}, schema, type).filter(({ isRequired }) => isRequired);
  return { type, ...Object.fromEntries(needed.map(({ name, shape }) => [name, emptyOf(shape)])) };
}
