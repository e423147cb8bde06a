import { valuesAt } from '#base/common/valuesAt';
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
  return Object.entries(fields).every(([path, value]) => valuesAt(record, path).map(String).includes(value));
}
