import type { ObjectId } from 'bson';
import { type LocalDay, localDay } from '#base/calendar/localCalendar';
import { message } from '#base/common/messages/message';
import type { Author } from '#base/db/records';
import { comparable } from '#base/schema/findable';
import type { Ledger } from '#engine/points/ledger/ledger';
import { lotExpiry } from '#engine/points/lots/lotParts';
import { unlessOverflow } from '#engine/points/pointsOverflow';
import type { ActingRule } from '#engine/rules/actions/actionTarget';
import { memberFact } from '#engine/rules/format/memberFact';
import { addToLifetime, builtInMetrics, lifetimeEnd, withinExactSums } from '#engine/sums/lifetime';
import { type MemberTiers, shownTiers } from '#engine/tiers/memberTiers';
import type { MemberState } from '#members/memberState/memberState';
import { expiryMetrics } from '#members/memberState/settleState';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError, StoredEffects } from '#records/activities/activityHistory';
import type { MetricEntry } from '#records/aggregates/metricEvents';
import type { Member } from '#records/members/member';
import type { Lot } from '#records/points/lot';
import { ActivityLog, CouponChanges, OtherMembers } from './activityChangeParts';
import { answeredPurse } from './answeredMember';
import type { BatchContext } from './batchContext';
import { findReferrer, survivingState } from './checkActivity';
import type { PlanBuilder } from './planBuilder';

/** The input of one activity's changes. `ledger` is a copy for this activity alone. */
export interface ActivityChangesInput {
  state: MemberState;
  ledger: Ledger;
  activity: Activity;
  activityId: ObjectId;
  context: BatchContext;
  author: Author;
}

/** When the lifetime aggregate of a metric ends, and the issued reward whose cost the metric counts. */
interface MetricOptions {
  expirationDate?: Date | undefined;
  issued?: ObjectId | undefined;
}

type MoveTiers = (state: MemberState, origin: { activity: ObjectId }, added: readonly MetricEntry[]) => void;

/**
 * The changes of one activity. Rules and coupons change the copy of the ledger, and their effects are collected for the
 * history, the log and the metrics. The member changes only when the caller takes over the ledger and the changes.
 */
export class ActivityChanges {
  readonly log: ActivityLog;
  /** Amounts to add to metrics of the member. */
  readonly metrics: MetricEntry[] = [];
  readonly effects: StoredEffects = { accrued: [], burned: [], debts: [], metrics: [], counters: [] };
  data: Record<string, unknown> = {};
  hasProducts = false;
  /** Extension fields of the activity, when a rule set some. */
  activityExt: Record<string, unknown> | undefined;
  private own: MemberState['own'];
  readonly coupons: CouponChanges;
  readonly others: OtherMembers;
  /** The member's referral fields, with the changes of rules. */
  referral: MemberState['referral'];
  private facts: Readonly<Record<string, unknown>> | undefined;

  /** The member's tiers, with the changes of rules. */
  tiers: MemberTiers;

  constructor(readonly input: ActivityChangesInput) {
    this.log = new ActivityLog(input.context.now, input.activity.type);
    this.tiers = input.state.tiers;
    this.coupons = new CouponChanges(input.context);
    this.others = new OtherMembers(input.author, input.context.now);
    this.referral = input.state.referral;
  }

  memberFacts(): Readonly<Record<string, unknown>> {
    const { state, ledger, context } = this.input;
    this.facts ??= memberFact({
      member: this.memberDoc(),
      purses: ledger.purses(),
      segments: context.segments.namesOf(this.memberDoc()),
      segmentSince: context.segments.datesOf(this.memberDoc()),
      tiers: shownTiers(this.tiers, state.tierPolicies, state.doc.tiers),
      processedAccruals: state.processedAccruals,
    });
    return this.facts;
  }

  /** Runs a change. Returns its error, or 2900 when a sum would leave the exact integers. */
  change(what: string, act: () => ProcessingError | undefined): ProcessingError | undefined {
    this.facts = undefined;
    return catchOverflow(what, act);
  }

  /**
   * Adds the built-in metrics of the activity, after everything else. Returns the error (2900) when a sum is too large.
   */
  addBuiltInMetrics(): ProcessingError | undefined {
    for (const { metric, value } of builtInMetrics(this.input.activity)) this.addMetric(metric, value);
    return this.overflowErrors()[0];
  }

  /** The error (2900) when a metric's sum would leave the exact integers; empty when there is none. */
  overflowErrors(): ProcessingError[] {
    const error = catchOverflow('Counting a metric', () => {
      withinExactSums(this.input.state, this.metrics);
      for (const { state, metrics } of this.others.opened()) withinExactSums(state, metrics);
      return undefined;
    });
    return error ? [error] : [];
  }

  /** Accepts the changes to coupons and other members. `moveTiers` updates the tiers of each other member. */
  accept(builder: PlanBuilder, moveTiers: MoveTiers): void {
    const { state, activityId } = this.input;
    state.referral = this.referral;
    this.others.accept((other, metrics) => moveTiers(other, { activity: activityId }, metrics));
    this.coupons.accept(builder);
    const { counters, ...more } = this.coupons.effects(activityId);
    Object.assign(this.effects, more);
    this.effects.counters.push(...counters);
  }

  /** The member with this loyalty id or, after a merge, the survivor. */
  memberByLoyaltyId(loyaltyID: string): MemberState | undefined {
    const { context } = this.input;
    return survivingState(context, context.memberByLoyaltyId.get(comparable(loyaltyID)));
  }

  /** The referrer: the owner of the activity's referral code, else the member's `referredBy`. */
  referrer(): MemberState | undefined {
    const { context, activity, state } = this.input;
    const { referredBy = state.doc.referredBy } = this.referral;
    return findReferrer(context, activity) ?? survivingState(context, referredBy?.toHexString());
  }

  /** Records a completed referral in the effects. A cancel sets it to Pending again. */
  noteReferral(referral: { referrer: ObjectId; referred: ObjectId }): void {
    this.effects.referrals = [...(this.effects.referrals ?? []), referral];
  }

  /**
   * Records an award to a member and its metrics. `n` is the position of the action in its rule, or of the coupon. The
   * points of a coupon do not count as an award of the rule that applied it, because a return treats the two
   * separately.
   */
  recordAward({ doc }: MemberState, lot: Lot, points: number, n: number, { isPooled = false } = {}): void {
    const member = doc._id;
    const { purse, purseName, expiredPoints } = lot;
    const rule = lot.offer || lot.reward ? undefined : lot.rule;
    const { ledger } = this.others.find(member) ?? this.input;
    const date = lotExpiry(lot, ledger.inactiveOn(purse));
    const award = { n, ...(rule ? { rule } : {}) };
    const pooled = isPooled ? { pooled: true } : {};
    this.effects.accrued.push({ lot: lot._id, member, purse, points, returned: 0, charged: 0, ...pooled, ...award });
    // A retroactive award may be past its expiry already. A cancel does not undo this expiry.
    if (date && expiredPoints > 0) {
      const expired = [{ purse, points: expiredPoints, date }];
      this.metricsOf(member).push(...expiryMetrics({ doc, ledger }, { expired }));
    }
    this.addMetricOf(member, 'pointsEarned', points);
    this.addMetricOf(member, `pointsEarned:${purseName}`, points);
  }

  /** Ids of the accrual items that this activity awarded or burned. */
  touchedLots(): ObjectId[] {
    return [...this.effects.accrued, ...this.effects.burned].map(({ lot }) => lot);
  }

  /** True when the activity changed the member. */
  isEffective(): boolean {
    if (this.own !== undefined || this.tiers !== this.input.state.tiers) return true;
    return Object.values(this.effects).some((list) => list && list.length > 0);
  }

  /** The member with the changes of rules outside its ledger, including those of earlier activities in the batch. */
  memberDoc(): Member {
    const { doc, own } = this.input.state;
    const changes = { ...own, ...this.own, ...this.referral };
    return Object.keys(changes).length > 0 ? { ...doc, ...changes } : doc;
  }

  /** Changes fields of the member outside its ledger. A cancel does not undo them. */
  setOwn(changes: NonNullable<MemberState['own']>): void {
    this.own = { ...this.own, ...changes };
  }

  /** Accepts the changes of {@link setOwn}. */
  acceptOwn(): void {
    const { state } = this.input;
    if (this.own) state.own = { ...state.own, ...this.own };
  }

  /** Adds to a metric on the day of the activity. */
  addMetric(metric: string, value: number, { expirationDate, issued }: MetricOptions = {}): void {
    const member = this.input.state.doc._id;
    const ends = expirationDate ? { expirationDate: this.endOf(metric, expirationDate) } : {};
    this.metrics.push({ member, metric, value, day: this.day(), at: this.input.activity.date, ...ends });
    this.effects.metrics.push({ metric, value, ...ends, ...(issued ? { issued } : {}) });
  }

  /** Adds to a metric of a member, this one or another. */
  private addMetricOf(member: ObjectId, metric: string, value: number): void {
    if (member.equals(this.input.state.doc._id)) {
      this.addMetric(metric, value);
      return;
    }
    this.metricsOf(member).push({ member, metric, value, day: this.day(), at: this.input.activity.date });
    this.effects.metrics.push({ metric, value, member });
  }

  private endOf(metric: string, own: Date): Date {
    const { state, context } = this.input;
    const lifetime = addToLifetime(state.aggregates, this.metrics, context.now, state.doc._id);
    return lifetimeEnd(lifetime, metric, own, context.now);
  }

  /** The day of the activity in the program's time zone. */
  day(): LocalDay {
    const { state, activity } = this.input;
    return localDay(activity.date, state.program.timezone);
  }

  private metricsOf(member: ObjectId): MetricEntry[] {
    return this.others.find(member)?.metrics ?? this.metrics;
  }

  /** The origin that lots and journal entries of a rule carry. */
  origin(rule: ActingRule) {
    return { activity: this.input.activityId, rule: rule._id, ruleVersion: rule.version };
  }

  /** Writes an entry of `result.log` that shows a purse of the member as it is now. */
  recordPurse(action: string, rule: ActingRule, policyId: ObjectId): void {
    const { ledger } = this.input;
    this.log.record(action, rule, answeredPurse(ledger, ledger.purse(policyId), this.touchedLots()));
  }
}

/** @returns the error of `act`, or 2900 when a sum would leave the exact integers */
function catchOverflow(what: string, act: () => ProcessingError | undefined): ProcessingError | undefined {
  return unlessOverflow(act, ({ fault }) => ({
    code: 2900,
    ...message('activities.changeFailed', { what, fault }),
    status: 422,
  }));
}
