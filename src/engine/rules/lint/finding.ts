import type { Message } from '#base/common/messages/message';
import type { RuleDefinition } from '../format/rule';
import type { JsonPath } from '../source/ruleSource';

/** A warning of lint about a rule. Lint never refuses a rule. */
export interface Finding extends Message {
  /** The rule can never fire; it ended; another does the same under the same conditions; another always prevents it. */
  kind: 'never' | 'ended' | 'same' | 'inside';
  rule: RuleDefinition;
  /** Path of the doubtful part in the rule. */
  path: JsonPath;
  /** The other rule that the message is about. Its position in the files is a parameter of the message. */
  other?: RuleDefinition;
}
