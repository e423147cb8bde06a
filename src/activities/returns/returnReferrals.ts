import type { StoredEffects } from '../../records/activities/activityHistory';
import type { BatchContext } from '../state/batchContext';
import { survivingState } from '../state/checkActivity';
import type { ReturnInput } from './returnInput';

/** Makes completed referrals pending again, so that a later activity may complete them. */
export function returnReferrals(context: BatchContext, { state, changes }: ReturnInput, effects: StoredEffects): void {
  for (const { referrer: id, referred } of effects.referrals ?? []) {
    const referrer = survivingState(context, id.toHexString());
    // Who was merged with the one it referred has nothing left to complete.
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
