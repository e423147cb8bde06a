import { type Message, pickMessage } from '#base/common/messages/message';
import type { Rule } from '../format/rule';
import type { RuleMatch } from '../language/decision';
import type { MovedByRule } from './movedPoints';
import type { AppliedOffer } from './offerSentences';

/** The input for sentences about the rules of an activity. */
export interface MatchContext {
  /** The rules of the activity's type. For a rule that is missing here, the sentence has fewer details. */
  rules: readonly Rule[];
  date: Date;
  /** IANA time zone of the program. */
  timezone: string;
  /** The location of the activity, for rules with hours by its clock. */
  location?: unknown;
  /** The errors of a failed activity; empty when it was processed. */
  errors: readonly (Message & { rule?: unknown })[];
  /** What the rules moved; absent when the activity failed. */
  moved?: MovedByRule | undefined;
  /** The offers that the activity applied; absent: none. */
  offers?: readonly AppliedOffer[] | undefined;
}

/** An entry of `ruleMatch`. `notKept` names, in words, the conditions whose values are not in the fact snapshot. */
export type ReplayedMatch = RuleMatch & { notKept?: string[] };

/** What a sentence about a rule of an activity tells of. */
export interface MatchToExplain {
  match: ReplayedMatch;
  rule: Rule | undefined;
  /** An earlier rule with `stop` that fired; no rule after it runs. */
  stoppedBy: Rule | undefined;
  context: MatchContext;
}

/** The error that the sentence about a rule quotes. */
export function quotedError({ key, fired, reason }: RuleMatch, { errors }: MatchContext): Message | undefined {
  const own = errors.find(({ rule }) => rule === key);
  const quoted = fired ? own : reason === 'error' ? (own ?? errors.find(({ rule }) => rule === undefined)) : undefined;
  return quoted && pickMessage(quoted);
}

/** The error that a rule caused, without its full stop. */
export function findRuleError(key: string, { errors }: MatchContext): string | undefined {
  return messageWithoutStop(errors.find(({ rule }) => rule === key));
}

/** The error without a rule: an error of the ledger. There is at most one, and it belongs to the rule that failed. */
export function ownerless({ errors }: MatchContext): string | undefined {
  return messageWithoutStop(errors.find(({ rule }) => rule === undefined));
}

function messageWithoutStop(error: { message: string } | undefined): string | undefined {
  return error?.message.replace(/\.$/, '');
}
