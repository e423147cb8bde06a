import type { StoredEffects } from '../../records/activities/activityHistory';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { BatchContext } from '../state/batchContext';
import type { LedgerTarget } from '../state/ledgerTarget';

/** Which issued rewards stay, and what is told about all. */
export interface ReturnedRewards {
  /** Hexadecimal ids of those that were used meanwhile: neither their uses nor their costs are given back. */
  kept: Set<string>;
  lines: object[];
}

/** Withdraws rewards that an activity issued and nobody used, and gives back the codes that it used itself. */
export function returnRewards(context: BatchContext, ruled: LedgerTarget, effects: StoredEffects): ReturnedRewards {
  const kept = new Set<string>();
  const lines: object[] = [];
  for (const { id, did } of effects.rewards ?? []) {
    const before = context.issued.get(id.toHexString());
    if (!before) continue;
    const wasPaid = [...effects.burned, ...effects.debts].some(({ issued }) => issued?.equals(id));
    const after = did === 'issued' ? recalled(before, wasPaid) : givenBack(before);
    if (did === 'issued' && after.status === 'Used') kept.add(id.toHexString());
    ruled.coupons.changeIssued(after);
    const told = { Issued: 'codeRestored', Withdrawn: 'withdrawn', Used: 'kept' }[after.status];
    lines.push({ did: told, code: after.code });
  }
  return { kept, lines };
}

/**
 * One that was used stays used. Should its use be given back, it is withdrawn then, unless the member paid for it: the
 * cost stays paid, so the code is good again.
 */
function recalled(issued: IssuedReward, wasPaid: boolean): IssuedReward {
  if (issued.status !== 'Used') return { ...issued, status: 'Withdrawn' };
  return wasPaid ? issued : { ...issued, isRecalled: true };
}

function givenBack({ isRecalled, usedBy: _usedBy, ...issued }: IssuedReward): IssuedReward {
  return { ...issued, status: isRecalled ? 'Withdrawn' : 'Issued' };
}
