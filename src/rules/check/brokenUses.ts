import { isPlainObject } from '../../query/parseJsonArgument';
import type { RuleUse } from './ruleUses';

/** A record before and after a change. Without `after`, the record is deleted. */
export interface RecordChange {
  before: object;
  after?: object;
}

/** The uses by rules that a change of a record would break: the record met them before the change and not after it. */
export function brokenUses(uses: readonly RuleUse[], { before, after }: RecordChange): RuleUse[] {
  return uses.filter((use) => meets(before, use) && !(after && meets(after, use)));
}

function meets(record: object, { fields }: RuleUse): boolean {
  return Object.entries(fields).every(([path, value]) => valuesAt(record, path.split('.')).includes(value));
}

/** The values at a path, as texts. For a list, the values of every element. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value === undefined ? [] : [String(value)];
  return isPlainObject(value) ? valuesAt(value[name], rest) : [];
}
