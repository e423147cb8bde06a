import type { Language } from '#base/words/language';
import type { RuleDefinition } from '../format/rule';
import type { Comparison, Condition } from '../language/condition';
import type { FailedCondition } from '../language/decision';
import type { MatchToExplain } from './matchContext';

/** What the rule nearest to firing lacked. */
export interface NearMiss {
  name: string;
  /** How many conditions, with those that cannot be judged. */
  count: number;
  failed: readonly FailedCondition[];
  conditions: Condition | undefined;
}

/** How rules are put into sentences in one language. */
export interface Phrasebook {
  language: Language;
  /** A rule in one sentence, with dates by the clock of the program. */
  rule(rule: RuleDefinition, timezone?: string): string;
  /** A whole rule as lines of text. */
  lines(rule: RuleDefinition, timezone?: string): string[];
  comparison(comparison: Comparison): string;
  /** That the segments, levels and hours of a rule are met. */
  audience(rule: Pick<RuleDefinition, 'segments' | 'tiers' | 'hours'>): string;
  /** Why a rule fired or not. */
  match(explained: MatchToExplain): string;
  miss(miss: NearMiss): string;
}
