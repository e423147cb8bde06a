import type { ActionNeed } from '../actions/action';
import { findActionDefinition } from '../actions/list';
import type { Rule } from '../format/rule';
import type { FactRef } from '../language/factRef';

/**
 * The records that the actions of rules refer to, beside the member. They must be loaded before effects are applied.
 */
export interface ActionNeeds {
  /** Some rule may take points out of a purse, so the existing accrual items are needed. */
  readonly items: boolean;
  /** Codes of offers to apply and rewards to issue. */
  readonly couponCodes: readonly string[];
  /** Some rule completes referrals, so the member who referred this member is needed. */
  readonly refers: boolean;
  /** Some rule shares awards, so the head of the member's family is needed. */
  readonly pools: boolean;
  /** Loyalty ids of members who may receive points: as strings, or as references to facts of the activity. */
  readonly receivers: readonly (string | FactRef)[];
}

/** The needs of the actions of these rules. */
export function collectActionNeeds(rules: readonly Rule[]): ActionNeeds {
  const needs: ActionNeed[] = rules.flatMap(({ actions }) =>
    actions.map((action) => findActionDefinition(action.type)?.needs?.(action) ?? {}),
  );
  return {
    items: needs.some(({ items }) => items),
    couponCodes: [...new Set(needs.flatMap(({ coupons }) => coupons ?? []))],
    refers: needs.some(({ referrer }) => referrer),
    pools: needs.some(({ familyHead }) => familyHead),
    receivers: needs.flatMap(({ receiver }) => receiver ?? []),
  };
}
