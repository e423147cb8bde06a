import type { ActingRule, ActionTarget, Award, Redemption, ReferralAward, Refusal } from '../actions/actionTarget';
import { applyEffect, type Effect } from '../actions/list';
import type { EffectTarget } from '../decide/decideInput';
import type { PurseChange } from './pastActivity';
import type { RecalledFacts } from './recalledFacts';

/** Points that a rule would award. */
export interface PastAward {
  rule: ActingRule;
  /** Position of the action, as that of effects. */
  n: number;
  purse: string;
  points: number;
  /** To the member of the activity; else to the one who referred it. */
  isOwn: boolean;
  /** Completes a referral. */
  isReferral: boolean;
}

/**
 * The target of an activity of the past: collects the points that rules move and has no balances, so it refuses
 * nothing. Rules see the member as it was kept.
 */
export class PastTarget implements EffectTarget, ActionTarget {
  hasProducts = false;
  /** Changes by key of the rule. */
  readonly changes = new Map<string, PurseChange[]>();
  /** All awards, in their order. */
  readonly awards: PastAward[] = [];

  constructor(
    private readonly facts: RecalledFacts,
    /** The priority that is decided now. */
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

  /** What moves no points into the program or out of it counts for nothing; the facts that it changed were kept. */
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

  /** Metrics are recalled; a rule that asks for one that was not kept is not evaluated. */
  metric(): number {
    return 0;
  }

  private note({ key }: ActingRule, change: PurseChange): void {
    const changes = this.changes.get(key);
    if (changes) changes.push(change);
    else this.changes.set(key, [change]);
  }
}
