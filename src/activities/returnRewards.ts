import type { IssuedReward } from '../offers/issuedReward';
import type { StoredEffects } from './activityHistory';
import type { BatchContext } from './batchContext';
import type { LedgerTarget } from './ledgerTarget';

/** Which issued rewards stay, and what is told about all. */
export interface ReturnedRewards {
  /** Hexadecimal ids of those that were used meanwhile: their uses are not given back. */
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
    const after = did === 'issued' ? recalled(before) : givenBack(before);
    if (after.isRecalled) kept.add(id.toHexString());
    ruled.coupons.changeIssued(after);
    const told = { Issued: 'codeRestored', Withdrawn: 'withdrawn', Used: 'kept' }[after.status];
    lines.push({ did: told, code: after.code });
  }
  return { kept, lines };
}

/** One that was used stays used; should its use be given back, it is withdrawn then. */
function recalled(issued: IssuedReward): IssuedReward {
  return issued.status === 'Used' ? { ...issued, isRecalled: true } : { ...issued, status: 'Withdrawn' };
}

function givenBack({ isRecalled, usedBy: _usedBy, ...issued }: IssuedReward): IssuedReward {
  return { ...issued, status: isRecalled ? 'Withdrawn' : 'Issued' };
}
