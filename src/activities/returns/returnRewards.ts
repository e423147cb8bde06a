import type { ActivityChanges } from '#activities/state/activityChanges';
import type { BatchContext } from '#activities/state/batchContext';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { IssuedReward } from '#records/offers/issuedReward';

/** The issued rewards of a whole return, and lines for the log. */
export interface ReturnedRewards {
  /** Hexadecimal ids of rewards that the original issued and that were used since. Uses and costs are not returned. */
  kept: Set<string>;
  /** Rewards whose issue was cancelled earlier and whose use is returned now. They are withdrawn. */
  recalled: IssuedReward[];
  lines: object[];
}

/** Withdraws unused rewards that the original issued, and makes the codes that the original used available again. */
export function returnRewards(
  context: BatchContext,
  changes: ActivityChanges,
  effects: StoredEffects,
): ReturnedRewards {
  const kept = new Set<string>();
  const withdrawn: IssuedReward[] = [];
  const lines: object[] = [];
  const put = (after: IssuedReward) => {
    changes.coupons.changeIssued(after);
    const outcome = { Issued: 'codeRestored', Withdrawn: 'withdrawn', Used: 'kept' }[after.status];
    lines.push({ did: outcome, code: after.code });
  };
  const rewardsThat = (wanted: 'issued' | 'used') =>
    (effects.rewards ?? []).flatMap(({ id, did }) => (did === wanted && context.issued.get(id.toHexString())) || []);
  /** Choices whose reward was used. They stay used, so that the member cannot choose again. */
  const usedChoices = new Set<string>();
  for (const before of rewardsThat('issued')) {
    const after = recalled(before);
    if (after.status === 'Used') kept.add(before._id.toHexString());
    if (after.status === 'Used' && before.choiceOf) usedChoices.add(before.choiceOf.toHexString());
    put(after);
  }
  for (const before of rewardsThat('used')) {
    const after = usedChoices.has(before._id.toHexString()) ? before : availableAgain(before);
    if (after.status === 'Withdrawn') withdrawn.push(after);
    put(after);
    // When the reward that a choice gave is withdrawn, the member may choose again.
    const choice = after.status === 'Withdrawn' && context.issued.get(after.choiceOf?.toHexString() ?? '');
    if (choice) put(availableAgain(choice));
  }
  return { kept, recalled: withdrawn, lines };
}

/**
 * Withdraws an issued reward, or marks it when it was used. A used reward stays used and paid. When a later cancel
 * returns its use, the reward is withdrawn and its cost returned. So the order of cancels does not matter.
 */
function recalled(issued: IssuedReward): IssuedReward {
  return issued.status === 'Used' ? { ...issued, isRecalled: true } : { ...issued, status: 'Withdrawn' };
}

function availableAgain({ isRecalled, usedBy: _usedBy, ...issued }: IssuedReward): IssuedReward {
  return { ...issued, status: isRecalled ? 'Withdrawn' : 'Issued' };
}
