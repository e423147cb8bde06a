import { pushTo } from '#base/common/lists/groupBy';
import type {
  ActingRule,
  ActionTarget,
  Award,
  Redemption,
  ReferralAward,
  Refusal,
  Transfer,
} from '../actions/actionTarget';
import { applyEffect, type Effect } from '../actions/list';
import { pooledPoints } from '../actions/pool';
import type { EffectTarget } from '../decide/decideInput';
import type { ProcessedActivity, PurseChange } from './processedActivity';
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

  /** Codes of the offers that rules apply. */
  readonly offers = new Set<string>();
  /**
   * Actions with an outcome that only the original decision could tell, and it did not have them: by rule key, in
   * words.
   */
  readonly unknown = new Map<string, string[]>();
  private hasReferral = false;

  constructor(
    private readonly past: Pick<ProcessedActivity, 'outcome'>,
    private readonly facts: SnapshotFacts,
    /** Gives the priority that is being decided. */
    private readonly priority: () => number,
  ) {}

  apply(effect: Effect, rule: ActingRule): Refusal {
    return applyEffect(this, effect, rule);
  }

  awardPoints({ purse, points: all, n, pool }: Award, rule: ActingRule): undefined {
    const { familyHead } = this.past.outcome;
    if (pool && familyHead === undefined) this.noteUnknown(rule, 'head of the family');
    const head = pool && familyHead !== undefined && familyHead !== 'none' ? familyHead : undefined;
    const pooled = head ? pooledPoints(all, pool) : 0;
    this.awards.push({ rule, n, purse, points: all - pooled, isOwn: true, isReferral: false });
    if (all > pooled) this.note(rule, { purse, points: all - pooled });
    if (!head || pooled === 0) return;
    this.awards.push({ rule, n, purse, points: pooled, isOwn: false, isReferral: false });
    this.note(rule, { purse, points: pooled, member: head });
  }

  redeemPoints({ purse, points }: Redemption, rule: ActingRule): undefined {
    this.note(rule, { purse, points: -points });
  }

  completeReferral({ purse, points, referrerPoints, n }: ReferralAward, rule: ActingRule): undefined {
    this.awards.push({ rule, n, purse, points, isOwn: true, isReferral: true });
    this.awards.push({ rule, n, purse, points: referrerPoints, isOwn: false, isReferral: true });
    const { referral } = this.past.outcome;
    if (referral === undefined) this.noteUnknown(rule, 'referral');
    if (referral === undefined || referral === 'none' || this.hasReferral) return;
    this.hasReferral = true;
    if (points > 0) this.note(rule, { purse, points });
    if (referrerPoints > 0) this.note(rule, { purse, points: referrerPoints, member: referral.referrer });
  }

  lookupProducts(): undefined {
    this.hasProducts = true;
  }

  transferPoints({ purse, points, toPurse = purse, toLoyaltyID }: Transfer, rule: ActingRule): undefined {
    const { receiver } = this.past.outcome;
    this.note(rule, { purse, points: -points });
    const other = toLoyaltyID !== undefined && receiver ? { member: receiver } : {};
    this.note(rule, { purse: toPurse, points, ...other });
  }

  /** A reward that was not issued on the day, although a rule tried, costs nothing. */
  issueReward({ reward }: { reward: string }, rule: ActingRule): undefined {
    const { costs, rewards } = this.past.outcome;
    for (const change of costs.get(reward) ?? []) this.note(rule, change);
    if (!rewards.has(reward)) this.noteUnknown(rule, `cost of the reward ${reward}`);
  }

  applyOffer({ offer }: { offer: string }, rule: ActingRule): undefined {
    const { coupons, offers } = this.past.outcome;
    this.offers.add(offer);
    const isKnown = offers.has(offer) || coupons.some(({ code }) => code === offer);
    if (!isKnown) this.noteUnknown(rule, `offer ${offer}`);
  }

  /** These move no points. Facts that they changed are in the snapshot. */
  addMetric(): undefined {}
  issueChoice(): undefined {}
  setTier(): undefined {}
  changeSegment(): undefined {}
  setExt(): undefined {}
  setData(): undefined {}
  log(): undefined {}

  memberFacts(): Readonly<Record<string, unknown>> {
    return this.facts.member(this.priority());
  }

  /** No result depends on it: metrics come from the snapshot, and a rule that reads a missing one is not evaluated. */
  metric(): number {
    return 0;
  }

  metricBefore(): number {
    return 0;
  }

  lastVisit(): undefined {}

  private noteUnknown({ key }: ActingRule, what: string): void {
    pushTo(this.unknown, key, what);
  }

  private note({ key }: ActingRule, change: PurseChange): void {
    pushTo(this.changes, key, change);
  }
}
