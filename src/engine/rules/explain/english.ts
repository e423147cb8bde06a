import type { Rule } from '../format/rule';
import { comparisonSentence, failedSentence } from './explainCondition';
import { explainRule } from './explainRule';
import { matchSentence } from './matchSentence';
import type { NearMiss, Phrasebook } from './phrasebook';
import { ruleSentence } from './ruleSentence';

/** Rules in English, the default language of the API. */
export const english: Phrasebook = {
  language: 'en',
  rule: ruleSentence,
  lines: explainRule,
  comparison: comparisonSentence,
  audience: audienceText,
  match: matchSentence,
  miss: missSentence,
};

function audienceText({ segments, tiers, hours }: Pick<Rule, 'segments' | 'tiers' | 'hours'>): string {
  const parts = [segments && 'segments', tiers && 'levels', hours && 'hours'].filter((each) => each !== undefined);
  return `the ${parts.join(' and ')} of the rule are met`;
}

function missSentence({ name, count, failed, conditions }: NearMiss): string {
  const phrases = failed.map((each) => failedSentence(each, conditions));
  const unknown = count - failed.length;
  const all = unknown === 0 ? phrases : [...phrases, `${unknown} that cannot be judged, as values were not kept`];
  const conditionCount = count === 1 ? 'one condition' : `${count} conditions`;
  return `${name} lacked ${conditionCount}: ${all.join('; ')}.`;
}
