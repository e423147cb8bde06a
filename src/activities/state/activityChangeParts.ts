import type { ObjectId } from 'bson';
import { type Message, message } from '#base/common/messages/message';
import type { Author } from '#base/db/records';
import type { Ledger } from '#engine/points/ledger/ledger';
import type { ActingRule } from '#engine/rules/actions/actionTarget';
import { changeMember, type MemberState } from '#members/memberState/memberState';
import { settleState } from '#members/memberState/settleState';
import type { CouponSnapshot } from '#programs/offers/coupon';
import type { Price } from '#programs/offers/price';
import type { UseCounter } from '#programs/offers/useCounters';
import type { StoredEffects } from '#records/activities/activityHistory';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { IssuedReward } from '#records/offers/issuedReward';
import type { BatchContext } from './batchContext';
import type { PlanBuilder } from './planBuilder';

/** An entry of `result.log` (SPEC "Result object"). */
interface LogEntry {
  action: string;
  rule?: ObjectId;
  results: unknown;
  time: Date;
  type: string;
}

/** Collects the log of an activity's result. */
export class ActivityLog {
  private readonly entries: LogEntry[] = [];

  /** @param type of the activity */
  constructor(
    private readonly time: Date,
    private readonly type: string,
  ) {}

  /** Adds the result of an action. `rule` caused it; undefined when no rule did. */
  record(action: string, rule: Pick<ActingRule, '_id'> | undefined, results: unknown): void {
    this.entries.push({ action, ...(rule ? { rule: rule._id } : {}), results, time: this.time, type: this.type });
  }

  /** Adds that an action was left out, and why: in English, and for translations. */
  recordOmitted(action: string, rule: Pick<ActingRule, '_id'> | undefined, results: object, fault: Message): void {
    this.record(action, rule, { ...results, reason: fault.message, fault });
  }

  /** The log for the answer. An activity without effect shows only entries of the action `log`. */
  shown(isProcessed: boolean): Record<string, unknown>[] {
    return this.entries.filter(({ action }) => isProcessed || action === 'log').map((entry) => ({ ...entry }));
  }
}

/** An offer or reward as applied: its discount in minor units, its extra points, and the rule that applied it. */
export interface AppliedCoupon extends CouponSnapshot {
  discount: number;
  points: number;
  /** What it gave to each line item; only of an offer `perLine`. */
  lineItems?: { position: number; discount: number; points: number }[];
  /** What was paid; only of a reward that was paid partly in money. */
  paid?: Price;
  rule?: ObjectId;
}

type Use = UseCounter & { issued?: ObjectId };

/** The offers and rewards that one activity uses and issues. They take effect only with `accept`. */
export class CouponChanges {
  /** By code, the offers that rules apply, each with the first rule that does. */
  readonly offers = new Map<string, ActingRule>();
  /** Applied offers and rewards, in order. */
  readonly applied: AppliedCoupon[] = [];
  /** Offers and rewards that were passed over, with the reason. They gave nothing. */
  readonly passedOver: { code: string; reason: string; discount: 0; points: 0 }[] = [];
  /** Discount by position of the line item, for line items that named an applied offer or reward. */
  readonly byLine = new Map<number, number>();
  private readonly uses: Use[] = [];
  private readonly issued = new Map<string, IssuedReward>();

  constructor(private readonly context: Pick<BatchContext, 'usage'>) {}

  /** The reason when no use is left; undefined when there is one. */
  usedUp(counters: readonly UseCounter[]): Message | undefined {
    return counters.some(({ id, max }) => this.usedSoFar(id) >= max) ? message('activities.usedUp') : undefined;
  }

  /** Counts one use. `issued` is the issued reward that the use made. */
  use(counters: readonly UseCounter[], issued?: ObjectId): void {
    this.uses.push(...counters.map((counter) => ({ ...counter, ...(issued ? { issued } : {}) })));
  }

  /** Makes or changes an issued reward. */
  changeIssued(reward: IssuedReward): void {
    this.issued.set(reward._id.toHexString(), reward);
  }

  /** The counters and rewards for the effects in the history. */
  effects(activityId: ObjectId): Pick<StoredEffects, 'counters' | 'rewards'> {
    const rewards = [...this.issued.values()].map(({ _id: id, activity }) => ({
      id,
      did: activity?.equals(activityId) ? ('issued' as const) : ('used' as const),
    }));
    const counters = this.uses.map(({ id, issued }) => ({
      id,
      what: 'times' as const,
      amount: 1,
      returned: 0,
      ...(issued ? { issued } : {}),
    }));
    return { counters, ...(rewards.length > 0 ? { rewards } : {}) };
  }

  /** Accepts the changes. Later requests of the batch see them. */
  accept(builder: PlanBuilder): void {
    builder.use(this.uses.map(({ id }) => ({ id, amount: 1 })));
    for (const reward of this.issued.values()) builder.putIssued(reward);
  }

  private usedSoFar(id: ObjectId): number {
    const own = this.uses.filter((use) => use.id.equals(id)).length;
    return own + (this.context.usage.get(id.toHexString()) ?? 0);
  }
}

/** Another member that one activity changes, with a copy of its ledger. */
interface OtherMember {
  state: MemberState;
  ledger: Ledger;
  metrics: MetricEntry[];
  referral: MemberState['referral'];
}

/** The other members that one activity changes. Their changes take effect only with `accept`. */
export class OtherMembers {
  private readonly byId = new Map<string, OtherMember>();

  constructor(
    private readonly author: Author,
    private readonly now: Date,
  ) {}

  /** Settles a member and copies its ledger. A second call returns the same copy. */
  open(state: MemberState): OtherMember {
    const id = state.doc._id.toHexString();
    const known = this.byId.get(id);
    if (known) return known;
    settleState(state, this.author, this.now);
    const opened = { state, ledger: state.ledger.fork(), metrics: [], referral: state.referral };
    this.byId.set(id, opened);
    return opened;
  }

  /** The member with this id, if it was opened. */
  find(id: ObjectId): OtherMember | undefined {
    return this.byId.get(id.toHexString());
  }

  /** All members that were opened. */
  opened(): Iterable<OtherMember> {
    return this.byId.values();
  }

  /** Accepts the changes. The batch writes these members, guarded by their versions. */
  accept(moveTiers: (state: MemberState, added: readonly MetricEntry[]) => void): void {
    for (const { state, ledger, metrics, referral } of this.byId.values()) {
      state.ledger = ledger;
      state.referral = referral;
      changeMember(state, this.author, metrics, this.now);
      moveTiers(state, metrics);
    }
  }
}
