import type { RuleAction } from '../actions/list';
import type { Rule } from '../format/rule';
import type { FactRef } from '../language/factRef';

/** What the actions of rules name beside the member: to be loaded before they are carried out. */
export interface ActionNeeds {
  /** Codes of offers to apply and rewards to issue. */
  readonly couponCodes: readonly string[];
  /** Some rule completes referrals: who referred the member is needed. */
  readonly refers: boolean;
  /** Loyalty ids that points may go to: as texts, or where the activity names them. */
  readonly receivers: readonly (string | FactRef)[];
}

/** What the actions of these rules name. */
export function actionNeedsOf(rules: readonly Rule[]): ActionNeeds {
  const actions = rules.flatMap((rule) => rule.actions);
  return {
    couponCodes: [...new Set(actions.flatMap(couponCode))],
    refers: actions.some(({ type }) => type === 'completeReferral'),
    receivers: actions.flatMap((action) =>
      action.type === 'transferPoints' && action.toMember ? [action.toMember.loyaltyID] : [],
    ),
  };
}

function couponCode(action: RuleAction): string[] {
  if (action.type === 'applyOffer') return [action.offer];
  return action.type === 'issueReward' ? [action.reward] : [];
}

/** Actions that may take points out of a purse. */
const spending: readonly RuleAction['type'][] = ['redeemPoints', 'transferPoints', 'issueReward'];

/** Tells whether some rule may take points out of a purse: then existing lots are needed. */
export function mayBurn(rules: readonly Rule[]): boolean {
  return rules.some(({ actions }) => actions.some(({ type }) => spending.includes(type)));
}
