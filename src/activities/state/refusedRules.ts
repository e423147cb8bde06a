import { type Message, message } from '#base/common/messages/message';

/** The `action` of the log entry of an activity whose program has rule files, but no rule in force. */
export const refusedRules = 'rulesRefused';

/** Tells why no rule was evaluated for an activity of a program. */
export function refusedRulesMessage(code: string): Message {
  return message('activities.noRuleInForce', { code });
}
