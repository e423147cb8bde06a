import { datesInWords } from '#base/calendar/datesInWords';
import type { Message } from '#base/common/messages/message';
import type { Rule } from '../format/rule';
import type { RuleMatch } from '../language/decision';
import { english } from './english';
import { type MatchContext, quotedError, type ReplayedMatch } from './matchContext';
import type { Phrasebook } from './phrasebook';

/** An entry of `ruleMatch` with one or two sentences that say why the rule fired or not. */
export type ExplainedMatch<T extends ReplayedMatch = RuleMatch> = T & { sentence: string; failure?: Message };

/** Adds a sentence to each entry. `matches` has an entry for every rule of the activity, in rule order. */
export function explainMatches<T extends ReplayedMatch>(
  matches: readonly T[],
  context: MatchContext,
  phrasebook: Phrasebook = english,
): ExplainedMatch<T>[] {
  const byKey = new Map(context.rules.map((rule) => [rule.key, rule]));
  let stoppedBy: Rule | undefined;
  return matches.map((match) => {
    const rule = byKey.get(match.key);
    const sentence = phrasebook.match({ match, rule, stoppedBy, context });
    if (match.fired && rule?.stop) stoppedBy ??= rule;
    const failure = quotedError(match, context);
    const inWords = datesInWords(sentence, context.timezone, phrasebook.language);
    return { ...match, sentence: inWords, ...(failure ? { failure } : {}) };
  });
}
