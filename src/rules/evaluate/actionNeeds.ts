import type { ActionNeed } from '../actions/action';
import { definitionOf } from '../actions/list';
import type { Rule } from '../format/rule';
import type { FactRef } from '../language/factRef';

/** What the actions of rules name beside the member: to be loaded before they are carried out. */
export interface ActionNeeds {
  /** Some rule may take points out of a purse: existing accrual items are needed. */
  readonly items: boolean;
  /** Codes of offers to apply and rewards to issue. */
  readonly couponCodes: readonly string[];
  /** Some rule completes referrals: who referred the member is needed. */
  readonly refers: boolean;
  /** Loyalty ids that points may go to: as texts, or where the activity names them. */
  readonly receivers: readonly (string | FactRef)[];
}

/** What the actions of these rules name. */
export function actionNeedsOf(rules: readonly Rule[]): ActionNeeds {
  const needs: ActionNeed[] = rules.flatMap(({ actions }) =>
    actions.map((action) => definitionOf(action.type)?.needs?.(action) ?? {}),
  );
  return {
    items: needs.some(({ items }) => items),
    couponCodes: [...new Set(needs.flatMap(({ coupon }) => coupon ?? []))],
    refers: needs.some(({ referrer }) => referrer),
    receivers: needs.flatMap(({ receiver }) => receiver ?? []),
  };
}
