import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import { failedSentence } from './explainCondition';
import type { RuleReason } from './ruleReasonsOf';

/** The rule with the fewest failed conditions. */
export interface NearestMiss {
  rule: Rule['_id'];
  key: string;
  name: string;
  /** How many conditions, segments and tiers would have to change for the rule to fire. */
  lacking: number;
  /** The failed conditions whose values are known. */
  failedConditions: FailedCondition[];
  sentence: string;
}

/**
 * The rule that was nearest to firing: it has the fewest failed conditions. Between equal rules, the first in rule
 * order wins. Rules that reject activities come last, since no member misses them. Null when no rule failed by its
 * conditions.
 */
export function nearestMiss(replayed: readonly RuleReason[], rules: readonly Rule[]): NearestMiss | null {
  const refusing = new Set(rules.filter(refuses).map(({ key }) => key));
  const candidates = [...replayed].sort((a, b) => Number(refusing.has(a.key)) - Number(refusing.has(b.key)));
  let best: { match: RuleReason; lacking: NonNullable<RuleReason['lacking']> } | undefined;
  for (const match of candidates) {
    const { lacking } = match;
    if (!lacking || lacking.count === 0) continue;
    const isNearer = !best || (lacking.count < best.lacking.count && !refusing.has(match.key));
    if (isNearer) best = { match, lacking };
  }
  if (!best) return null;
  const { match, lacking } = best;
  const conditions = rules.find(({ key }) => key === match.key)?.conditions;
  const told = lacking.failed.map((each) => failedSentence(each, conditions));
  const unknown = lacking.count - lacking.failed.length;
  const all = unknown === 0 ? told : [...told, `${unknown} that cannot be judged, as values were not kept`];
  const much = lacking.count === 1 ? 'one condition' : `${lacking.count} conditions`;
  return {
    rule: match.rule,
    key: match.key,
    name: match.name,
    lacking: lacking.count,
    failedConditions: lacking.failed,
    sentence: `${match.name} lacked ${much}: ${all.join('; ')}.`,
  };
}

function refuses({ actions }: Rule): boolean {
  return actions.some(({ type }) => type === 'reject');
}
