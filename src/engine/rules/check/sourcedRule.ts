import type { RuleDefinition } from '../format/rule';
import type { RowOrigin } from '../format/tableShape';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** The fields that `checkRule` checks. `checkConditions` checks the conditions. */
export type RuleFields = Omit<
  RuleDefinition,
  'file' | 'position' | 'programId' | 'programCode' | 'conditions' | 'row' | 'lookupTables'
>;

/** A rule and its position in a file. */
export interface SourcedRule {
  source: RuleSource;
  at: JsonPath;
  rule: RuleFields;
  /** The row of a table that the rule was made from. */
  row?: RowOrigin | undefined;
}
