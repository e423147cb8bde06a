import type { NearMiss, Phrasebook } from '../explain/phrasebook';
import type { Rule } from '../format/rule';
import { germanComparisonSentence, germanFailed } from './germanCondition';
import { germanMatch } from './germanMatch';
import { germanRule, germanRuleSentence } from './germanRule';

/** Rules in German. */
export const german: Phrasebook = {
  language: 'de',
  rule: germanRuleSentence,
  lines: germanRule,
  comparison: germanComparisonSentence,
  audience: audienceText,
  match: germanMatch,
  miss: missSentence,
};

function audienceText({ segments, tiers, hours }: Pick<Rule, 'segments' | 'tiers' | 'hours'>): string {
  const parts = [segments && 'Segmente', tiers && 'Stufen', hours && 'Stunden'].filter((each) => each !== undefined);
  return `die ${parts.join(' und ')} der Regel passen`;
}

function missSentence({ name, count, failed, conditions }: NearMiss): string {
  const phrases = failed.map((each) => germanFailed(each, conditions));
  const unknown = count - failed.length;
  const all = unknown === 0 ? phrases : [...phrases, `${unknown} nicht beurteilbar, da Werte nicht aufbewahrt wurden`];
  return `${name} fehlte ${count === 1 ? 'eine Bedingung' : `${count} Bedingungen`}: ${all.join('; ')}.`;
}
