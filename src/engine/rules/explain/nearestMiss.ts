import { datesInWords } from '#base/calendar/datesInWords';
import type { Rule } from '../format/rule';
import type { FailedCondition } from '../language/decision';
import { totalDistance } from './distance';
import { english } from './english';
import type { Phrasebook } from './phrasebook';
import type { RuleReason } from './ruleReasons';

/** The rule that was nearest to firing. */
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

/** What the nearest miss depends on in addition to the reasons. */
export interface MissContext {
  rules: readonly Rule[];
  /** IANA time zone of the program. */
  timezone: string;
  /** The points that a rule would have awarded; 0 when this is not known. */
  worthOf(rule: Rule): number;
}

/**
 * How much a rule lacks: the sum over its failed conditions of how far each is from holding, as a share of its value.
 * One that cannot be evaluated counts as 1. Infinite when its conditions did not fail, or can never hold.
 */
export function lackIn({ lacking }: RuleReason): number {
  if (!lacking || lacking.count === 0) return Number.POSITIVE_INFINITY;
  return totalDistance(lacking);
}

/**
 * The rule that was nearest to firing: it lacks least by value. Between equal rules, the one that is worth most wins,
 * then the first in rule order. Rules that reject activities come last, since no member misses them. Null when no rule
 * failed by its conditions.
 */
export function nearestMiss(
  replayed: readonly RuleReason[],
  { rules, timezone, worthOf }: MissContext,
  phrasebook: Phrasebook = english,
): NearestMiss | null {
  const byKey = new Map(rules.map((rule) => [rule.key, rule]));
  let best: { match: RuleReason; lacking: NonNullable<RuleReason['lacking']>; rank: readonly number[] } | undefined;
  for (const match of replayed) {
    const { lacking, key } = match;
    const rule = byKey.get(key);
    if (!lacking || lacking.count === 0) continue;
    const rank = [rule && refuses(rule) ? 1 : 0, lackIn(match), rule ? -worthOf(rule) : 0];
    if (!best || isLess(rank, best.rank)) best = { match, lacking, rank };
  }
  if (!best) return null;
  const { match, lacking } = best;
  const conditions = byKey.get(match.key)?.conditions;
  const { name } = match;
  const sentence = phrasebook.miss({ name, count: lacking.count, failed: lacking.failed, conditions });
  return {
    rule: match.rule,
    key: match.key,
    name,
    lacking: lacking.count,
    failedConditions: lacking.failed,
    sentence: datesInWords(sentence, timezone, phrasebook.language),
  };
}

/** Compares number by number. */
function isLess(one: readonly number[], other: readonly number[]): boolean {
  const differs = one.findIndex((each, n) => each !== other[n]);
  return differs >= 0 && (one[differs] ?? 0) < (other[differs] ?? 0);
}

function refuses({ actions }: Rule): boolean {
  return actions.some(({ type }) => type === 'reject');
}
