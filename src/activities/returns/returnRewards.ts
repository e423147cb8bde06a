import type { StoredEffects } from '../../records/activities/activityHistory';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { ActivityChanges } from '../state/activityChanges';
import type { BatchContext } from '../state/batchContext';

/** Which issued rewards stay, and what is told about all. */
export interface ReturnedRewards {
  /** Hexadecimal ids of those that were used meanwhile: neither their uses nor their costs are given back. */
  kept: Set<string>;
  /** Those that are withdrawn now that their use is given back: the activity that issued them was cancelled before. */
  recalled: IssuedReward[];
  lines: object[];
}

/** Withdraws rewards that an activity issued and nobody used, and gives back the codes that it used itself. */
export function returnRewards(
  context: BatchContext,
  changes: ActivityChanges,
  effects: StoredEffects,
): ReturnedRewards {
  const kept = new Set<string>();
  const withdrawn: IssuedReward[] = [];
  const lines: object[] = [];
  for (const { id, did } of effects.rewards ?? []) {
    const before = context.issued.get(id.toHexString());
    if (!before) continue;
    const after = did === 'issued' ? recalled(before) : availableAgain(before);
    if (did === 'used' && after.status === 'Withdrawn') withdrawn.push(after);
    if (did === 'issued' && after.status === 'Used') kept.add(id.toHexString());
    changes.coupons.changeIssued(after);
    const told = { Issued: 'codeRestored', Withdrawn: 'withdrawn', Used: 'kept' }[after.status];
    lines.push({ did: told, code: after.code });
  }
  return { kept, recalled: withdrawn, lines };
}

/**
 * One that was used stays used, and what it cost stays paid. Should its use be given back too, it is withdrawn and its
 * cost comes back then: so the order of cancels does not matter.
 */
function recalled(issued: IssuedReward): IssuedReward {
  return issued.status === 'Used' ? { ...issued, isRecalled: true } : { ...issued, status: 'Withdrawn' };
}

function availableAgain({ isRecalled, usedBy: _usedBy, ...issued }: IssuedReward): IssuedReward {
  return { ...issued, status: isRecalled ? 'Withdrawn' : 'Issued' };
}
