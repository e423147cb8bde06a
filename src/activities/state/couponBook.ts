import type { ObjectId } from 'bson';
import type { CouponSnapshot } from '../../offers/coupon';
import type { UseCounter } from '../../offers/useCounters';
import type { StoredEffects } from '../../records/activities/activityHistory';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { BatchContext } from './batchContext';
import type { PlanDraft } from './planDraft';

/** An offer or reward as applied: minor units off, points on top, and its share for each line item that named it. */
export interface AppliedCoupon extends CouponSnapshot {
  discount: number;
  points: number;
}

type Use = UseCounter & { issued?: ObjectId };

/** The offers and rewards that one activity uses and issues; dropping it drops every effect. */
export class CouponBook {
  /** Codes of offers that rules apply. */
  readonly offers = new Set<string>();
  /** What was applied, in that order. */
  readonly applied: AppliedCoupon[] = [];
  /** Discount by position of the line item, of those that named an applied offer or reward. */
  readonly byLine = new Map<number, number>();
  private readonly uses: Use[] = [];
  private readonly issued = new Map<string, IssuedReward>();

  constructor(private readonly context: Pick<BatchContext, 'usage'>) {}

  /** Why there is no use left, if there is none. */
  usedUp(counters: readonly UseCounter[]): string | undefined {
    return counters.some(({ id, max }) => this.usedSoFar(id) >= max) ? 'is used up' : undefined;
  }

  /** Counts one use; `issued` is the reward that was issued for it. */
  use(counters: readonly UseCounter[], issued?: ObjectId): void {
    this.uses.push(...counters.map((counter) => ({ ...counter, ...(issued ? { issued } : {}) })));
  }

  /** Makes or changes an issued reward. */
  changeIssued(reward: IssuedReward): void {
    this.issued.set(reward._id.toHexString(), reward);
  }

  /** What was done, as the history keeps it. */
  effects(activityId: ObjectId): Pick<StoredEffects, 'counters' | 'rewards'> {
    const rewards = [...this.issued.values()].map(({ _id: id, activity }) => ({
      id,
      did: activity.equals(activityId) ? ('issued' as const) : ('used' as const),
    }));
    const counters = this.uses.map(({ id, issued }) => ({
      ...{ id, what: 'times' as const, amount: 1, returned: 0 },
      ...(issued ? { issued } : {}),
    }));
    return { counters, ...(rewards.length > 0 ? { rewards } : {}) };
  }

  /** Keeps what was done; later works of the batch see it. */
  keep(draft: PlanDraft): void {
    draft.use(this.uses.map(({ id }) => ({ id, amount: 1 })));
    for (const reward of this.issued.values()) draft.putIssued(reward);
  }

  private usedSoFar(id: ObjectId): number {
    const own = this.uses.filter((use) => use.id.equals(id)).length;
    return own + (this.context.usage.get(id.toHexString()) ?? 0);
  }
}
