import type { ObjectId } from 'bson';
import type { Author } from '../../db/records';
import { changeMember, type MemberState } from '../../memberState/memberState';
import { settleState } from '../../memberState/settleState';
import type { CouponSnapshot } from '../../offers/coupon';
import type { UseCounter } from '../../offers/useCounters';
import type { Ledger } from '../../points/ledger/ledger';
import type { StoredEffects } from '../../records/activities/activityHistory';
import type { MetricEntry } from '../../records/aggregates/metricEvents';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { ActingRule } from '../../rules/actions/actionTarget';
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

/** What becomes the log of an activity's result. */
export class ActivityLog {
  private readonly entries: LogEntry[] = [];

  /** @param type of the activity */
  constructor(
    private readonly time: Date,
    private readonly type: string,
  ) {}

  /** Writes what an action of a rule did. */
  record(action: string, rule: ActingRule, results: unknown): void {
    this.entries.push({ action, rule: rule._id, results, time: this.time, type: this.type });
  }

  /** Writes what comes from no rule. */
  note(action: string, results: unknown): void {
    this.entries.push({ action, results, time: this.time, type: this.type });
  }

  /** The log as answered: of an activity that had no effect, only what rules wrote themselves. */
  shown(isProcessed: boolean): Record<string, unknown>[] {
    return this.entries.filter(({ action }) => isProcessed || action === 'log').map((entry) => ({ ...entry }));
  }
}

/** An offer or reward as applied: minor units off, points on top, and its share for each line item that named it. */
interface AppliedCoupon extends CouponSnapshot {
  discount: number;
  points: number;
}

type Use = UseCounter & { issued?: ObjectId };

/** The offers and rewards that one activity uses and issues; dropping it drops every effect. */
export class CouponChanges {
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
  accept(builder: PlanBuilder): void {
    builder.use(this.uses.map(({ id }) => ({ id, amount: 1 })));
    for (const reward of this.issued.values()) builder.putIssued(reward);
  }

  private usedSoFar(id: ObjectId): number {
    const own = this.uses.filter((use) => use.id.equals(id)).length;
    return own + (this.context.usage.get(id.toHexString()) ?? 0);
  }
}

/** Another member as one activity works on it; dropping it drops every effect. */
interface OtherMember {
  state: MemberState;
  ledger: Ledger;
  metrics: MetricEntry[];
  referral: MemberState['referral'];
}

/** The other members that one activity changes, each opened once. */
export class OtherMembers {
  private readonly byId = new Map<string, OtherMember>();

  constructor(
    private readonly author: Author,
    private readonly now: Date,
  ) {}

  /** A member to work on, settled. */
  open(state: MemberState): OtherMember {
    const id = state.doc._id.toHexString();
    const known = this.byId.get(id);
    if (known) return known;
    settleState(state, this.author, this.now);
    const opened = { state, ledger: state.ledger.fork(), metrics: [], referral: state.referral };
    this.byId.set(id, opened);
    return opened;
  }

  /** Those that were opened, by id. */
  find(id: ObjectId): OtherMember | undefined {
    return this.byId.get(id.toHexString());
  }

  /** All that were opened. */
  opened(): Iterable<OtherMember> {
    return this.byId.values();
  }

  /** Keeps what was done to them; they are written with the batch, guarded by their versions. */
  accept(moveTiers: (state: MemberState) => void): void {
    for (const { state, ledger, metrics, referral } of this.byId.values()) {
      state.ledger = ledger;
      state.referral = referral;
      changeMember(state, this.author, metrics, this.now);
      moveTiers(state);
    }
  }
}
