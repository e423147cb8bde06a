import type { ObjectId } from 'bson';
import type { Rule } from '../format/rule';
import { plural } from '../words/amountText';
import { valueText } from '../words/valueText';

/** An offer or reward that an activity applied, as `bestOffers` of its history has it, or that it passed over. */
export interface AppliedOffer {
  code: string;
  /** Why it was not applied, as the log of the result says it; absent when it was. */
  reason?: string | undefined;
  /** In minor units. */
  discount: number;
  points: number;
  /** The rule that applied it; absent when none did, and in older histories. */
  rule?: ObjectId | undefined;
}

/**
 * Sentences, each after a space, that say what the offers of a rule that fired gave: points, a discount, or nothing
 * because they were not applied.
 * @param applied what the activity applied
 */
export function offerSentences(
  { _id, actions }: Pick<Rule, '_id' | 'actions'>,
  applied: readonly AppliedOffer[],
): string {
  const codes = actions.flatMap((action) => (action.type === 'applyOffer' ? [action.offer] : []));
  return [...new Set(codes)].map((code) => ` The offer ${valueText(code)} ${whatItGave(code, _id, applied)}.`).join('');
}

function whatItGave(code: string, rule: ObjectId, appliedOffers: readonly AppliedOffer[]): string {
  const applied = appliedOffers.find((each) => each.code === code);
  if (!applied) return 'was not applied';
  if (applied.reason !== undefined) return `was not applied: ${applied.reason}`;
  if (applied.rule && !applied.rule.equals(rule)) return 'was applied by another rule';
  const { points, discount } = applied;
  if (points > 0) return `gave ${plural(points, 'point')}`;
  return discount > 0 ? `gave a discount of ${discount}` : 'was applied';
}
