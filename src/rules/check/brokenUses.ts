import { valuesAt } from '../../common/valuesAt';
import type { RuleUse } from './ruleUses';

/** A record before a change and after it; without `after` it is deleted. */
export interface RecordChange {
  before: object;
  after?: object;
}

/** The uses by rules that a change of a record of `model` would break: those that it met before and no longer meets. */
export function brokenUses(uses: readonly RuleUse[], { before, after }: RecordChange): RuleUse[] {
  return uses.filter((use) => meets(before, use) && !(after && meets(after, use)));
}

function meets(record: object, { fields }: RuleUse): boolean {
  return Object.entries(fields).every(([path, value]) => valuesAt(record, path).map(String).includes(value));
}
