import type { RuleDraft } from '../format/rule';
import type { JsonPath } from '../source/ruleSource';

/** What lint says of a rule; it never refuses a rule. */
export interface Finding {
  /** It can never fire; it ended; another has the same conditions; another always comes first. */
  kind: 'never' | 'ended' | 'same' | 'inside';
  rule: RuleDraft;
  /** Where in the rule. */
  path: JsonPath;
  message: string;
  /** The other rule that the message is about; its place belongs behind the message. */
  other?: RuleDraft;
}
