import type { ActingRule, ActionTarget, Award, Redemption, ReferralAward, Refusal } from '../actions/actionTarget';
import { applyEffect, type Effect } from '../actions/list';
import type { EffectTarget } from '../decide/decideInput';
import type { PurseChange } from './processedActivity';
import type { SnapshotFacts } from './snapshotFacts';

/** Points that a rule would award. */
export interface PastAward {
  rule: ActingRule;
  /** Position of the action in its rule. */
  n: number;
  purse: string;
  points: number;
  /** The award is for the member of the activity, not for the member who referred it. */
  isOwn: boolean;
  /** The award is from `completeReferral`. */
  isReferral: boolean;
}

/**
 * The effect target for a past activity. It collects the points that rules award or redeem. It has no balances, so it
 * refuses nothing. Rules read the member from the fact snapshot.
 */
export class PastTarget implements EffectTarget, ActionTarget {
  hasProducts = false;
  /** Changes of purses, by rule key. */
  readonly changes = new Map<string, PurseChange[]>();
  /** All awards, in the order of the effects. */
  readonly awards: PastAward[] = [];

  constructor(
    private readonly facts: SnapshotFacts,
    /** Gives the priority that is being decided. */
    private readonly priority: () => number,
  ) {}

  apply(effect: Effect, rule: ActingRule): Refusal {
    return applyEffect(this, effect, rule);
  }

  awardPoints({ purse, points, n }: Award, rule: ActingRule): undefined {
    this.awards.push({ rule, n, purse, points, isOwn: true, isReferral: false });
    this.note(rule, { purse, points });
  }

  redeemPoints({ purse, points }: Redemption, rule: ActingRule): undefined {
    this.note(rule, { purse, points: -points });
  }

  completeReferral({ purse, points, referrerPoints, n }: ReferralAward, rule: ActingRule): undefined {
    this.awards.push({ rule, n, purse, points, isOwn: true, isReferral: true });
    this.awards.push({ rule, n, purse, points: referrerPoints, isOwn: false, isReferral: true });
  }

  lookupProducts(): undefined {
    this.hasProducts = true;
  }

  /** A simulation does not count the other actions. Facts that they changed are in the snapshot. */
  transferPoints(): undefined {}
  addMetric(): undefined {}
  setTier(): undefined {}
  changeSegment(): undefined {}
  setExt(): undefined {}
  setData(): undefined {}
  issueReward(): undefined {}
  applyOffer(): undefined {}
  log(): undefined {}

  memberFacts(): Readonly<Record<string, unknown>> {
    return this.facts.member(this.priority());
  }

  /** No result depends on it: metrics come from the snapshot, and a rule that reads a missing one is not evaluated. */
  metric(): number {
    return 0;
  }

  private note({ key }: ActingRule, change: PurseChange): void {
    const changes = this.changes.get(key);
    if (changes) changes.push(change);
    else this.changes.set(key, [change]);
  }
}
