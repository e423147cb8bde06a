import { proportion, type ReturnedShare } from '#engine/points/ledger/proportion';
import type { StoredEffects } from '#records/activities/activityHistory';

type Payment = NonNullable<StoredEffects['payments']>[number];

/**
 * The payments of rewards in money after a return, and lines for the log that say what to pay back. The share of all
 * returns together is rounded down, so several returns give back as much as one.
 * @param isReturned false for a payment that is not returned now
 */
export function returnPayments(
  payments: StoredEffects['payments'],
  share: ReturnedShare,
  isReturned: (payment: Payment) => boolean,
): { payments: Pick<StoredEffects, 'payments'>; lines: object[] } {
  if (!payments) return { payments: {}, lines: [] };
  const after = payments.map((payment) =>
    isReturned(payment)
      ? { ...payment, returned: Math.max(payment.returned, proportion(payment.money, share)) }
      : payment,
  );
  const lines = after.flatMap(({ reward, returned }, index) => {
    const money = returned - (payments[index]?.returned ?? 0);
    return money > 0 ? [{ did: 'moneyReturned', reward, money }] : [];
  });
  return { payments: { payments: after }, lines };
}
