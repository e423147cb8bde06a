import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { ReturnInput } from './returnInput';

/** Sets completed referrals to Pending, so that a later activity may complete them again. */
export function returnReferrals(context: BatchContext, { state, changes }: ReturnInput, effects: StoredEffects): void {
  for (const { referrer: id, referred } of effects.referrals ?? []) {
    const referrer = survivingState(context, id.toHexString());
    // After a merge of referrer and referred member there is no referral to complete.
    if (!referrer || referrer === state) continue;
    const other = changes.others.open(referrer);
    const { referrals = referrer.doc.referrals } = other.referral;
    other.referral = {
      ...other.referral,
      referrals: referrals.map((each) =>
        each.referred && (each.referred.equals(referred) || each.referred.equals(state.doc._id))
          ? { ...each, status: 'Pending' as const }
          : each,
      ),
    };
  }
}
