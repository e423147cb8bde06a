import type { ObjectId } from 'bson';
import { addToLifetime, builtInMetrics, lifetimeEnd, lifetimeValue, withRoom } from '../../aggregates/sums/lifetime';
import { currentSum } from '../../aggregates/sums/metricSums';
import { type LocalDay, localDay } from '../../calendar/localCalendar';
import type { PeriodUnit } from '../../calendar/periods';
import type { Author } from '../../db/records';
import type { MemberState } from '../../memberState/memberState';
import { expiryMetrics } from '../../memberState/settleState';
import type { Ledger } from '../../points/ledger/ledger';
import { lotExpiry } from '../../points/lots/lotParts';
import { unlessOverflow } from '../../points/pointsOverflow';
import type { Activity } from '../../records/activities/activity';
import type { ProcessingError, StoredEffects } from '../../records/activities/activityHistory';
import type { MetricEntry } from '../../records/aggregates/metricEvents';
import type { Member } from '../../records/members/member';
import type { Lot } from '../../records/points/lot';
import type { ActingRule } from '../../rules/actions/actionTarget';
import { memberFact } from '../../rules/format/memberFact';
import { type MemberTiers, shownTiers } from '../../tiers/ladder/memberTiers';
import { answeredPurse } from './answeredMember';
import type { BatchContext } from './batchContext';
import { referrerOf, survivingState } from './checkActivity';
import type { PlanBuilder } from './planBuilder';
import { ActivityLog, CouponChanges, OtherMembers } from './targetParts';

/** What one activity works on: the member, its ledger for this activity alone, and who and when. */
export interface ActivityChangesInput {
  state: MemberState;
  ledger: Ledger;
  activity: Activity;
  activityId: ObjectId;
  context: BatchContext;
  author: Author;
}

/** What else there is to a metric: when it ends, and the issued reward whose cost it counts. */
interface MetricOptions {
  expirationDate?: Date | undefined;
  issued?: ObjectId | undefined;
}

/**
 * What an activity changes: effects of rules and coupons change the ledger given, and are collected for the history, the
 * log and the metrics. Dropping the ledger drops every effect.
 */
export class ActivityChanges {
  readonly log: ActivityLog;
  /** What it adds to metrics of the member. */
  readonly metrics: MetricEntry[] = [];
  readonly effects: StoredEffects = { accrued: [], burned: [], debts: [], metrics: [], counters: [] };
  data: Record<string, unknown> = {};
  hasProducts = false;
  /** Extension fields of the activity, when a rule set some. */
  activityExt: Record<string, unknown> | undefined;
  private own: MemberState['own'];
  readonly coupons: CouponChanges;
  readonly others: OtherMembers;
  /** Who referred the member, with what rules found. */
  referral: MemberState['referral'];
  private facts: Readonly<Record<string, unknown>> | undefined;

  /** The member's tiers with what rules set. */
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
      tiers: shownTiers(this.tiers, state.tierPolicies, state.doc.tiers),
      processedAccruals: state.processedAccruals,
    });
    return this.facts;
  }

  metric(metric: string, period: PeriodUnit): number {
    const { state, activity, context } = this.input;
    const member = state.doc._id;
    const day = this.day();
    const own = [...this.metrics, ...builtInMetrics(activity).map((each) => ({ ...each, member, day }))];
    if (period !== 'lifetime') {
      return currentSum(context.sums, { member, metric, period, day }, [...state.metrics, ...own]);
    }
    const added = own.filter((entry) => entry.metric === metric);
    return lifetimeValue(addToLifetime(state.aggregates, added, context.now, member), metric, context.now);
  }

  /** Lets something change it, or answers why it cannot (2900 when a sum would be no exact integer). */
  change(what: string, act: () => ProcessingError | undefined): ProcessingError | undefined {
    this.facts = undefined;
    return checked(what, act);
  }

  /** Counts the activity, when all else is through; answers why it cannot. */
  count(): ProcessingError | undefined {
    for (const { metric, value } of builtInMetrics(this.input.activity)) this.addMetric(metric, value);
    return this.lackOfRoom()[0];
  }

  /** The error (2900) when what is added to metrics cannot be, as a sum would be no exact integer; else none. */
  lackOfRoom(): ProcessingError[] {
    const error = checked('Counting a metric', () => {
      withRoom(this.input.state, this.metrics);
      for (const { state, metrics } of this.others.opened()) withRoom(state, metrics);
      return undefined;
    });
    return error ? [error] : [];
  }

  /** Keeps what was done to anything but the member itself; `moveTiers` looks at the tiers of other members. */
  accept(builder: PlanBuilder, moveTiers: (state: MemberState, origin: { activity: ObjectId }) => void): void {
    const { state, activityId } = this.input;
    state.referral = this.referral;
    this.others.accept((other) => moveTiers(other, { activity: activityId }));
    this.coupons.accept(builder);
    const { counters, ...more } = this.coupons.effects(activityId);
    Object.assign(this.effects, more);
    this.effects.counters.push(...counters);
  }

  /** The member that leads to a loyalty id, or its survivor. */
  memberByLoyaltyId(loyaltyID: string): MemberState | undefined {
    const { context } = this.input;
    return survivingState(context, context.memberByLoyaltyId.get(loyaltyID));
  }

  /** Who referred the member: by the code of the activity, else as the member says. */
  referrer(): MemberState | undefined {
    const { context, activity, state } = this.input;
    const { referredBy = state.doc.referredBy } = this.referral;
    return referrerOf(context, activity) ?? survivingState(context, referredBy?.toHexString());
  }

  /** Notes a completed referral, which a cancel makes pending again. */
  noteReferral(referral: { referrer: ObjectId; referred: ObjectId }): void {
    this.effects.referrals = [...(this.effects.referrals ?? []), referral];
  }

  /** Notes an award to a member, with its metrics; `n` is that of the effect, or the place of the coupon. */
  awarded({ doc }: MemberState, lot: Lot, points: number, n: number): void {
    const member = doc._id;
    const { purse, purseName, expiredPoints, rule } = lot;
    const { ledger } = this.others.find(member) ?? this.input;
    const date = lotExpiry(lot, ledger.inactiveOn(purse));
    const award = { n, ...(rule ? { rule } : {}) };
    this.effects.accrued.push({ lot: lot._id, member, purse, points, returned: 0, charged: 0, ...award });
    // A retroactive award may be past its expiry already; what expired stays expired when it is cancelled.
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

  /** True when it changed anything of the member. */
  isEffective(): boolean {
    if (this.own !== undefined || this.tiers !== this.input.state.tiers) return true;
    return Object.values(this.effects).some((list) => list && list.length > 0);
  }

  /** The member with what rules changed beyond its ledger, earlier activities of the batch included. */
  memberDoc(): Member {
    const { doc, own } = this.input.state;
    const changes = { ...own, ...this.own, ...this.referral };
    return Object.keys(changes).length > 0 ? { ...doc, ...changes } : doc;
  }

  /** Changes fields of the member beyond its ledger; they stay after a cancel. */
  setOwn(changes: NonNullable<MemberState['own']>): void {
    this.own = { ...this.own, ...changes };
  }

  /** Makes the changes of {@link setOwn} those of the member. */
  acceptOwn(): void {
    const { state } = this.input;
    if (this.own) state.own = { ...state.own, ...this.own };
  }

  /** Adds to a metric on the day of the activity. */
  addMetric(metric: string, value: number, { expirationDate, issued }: MetricOptions = {}): void {
    const member = this.input.state.doc._id;
    const ends = expirationDate ? { expirationDate: this.endOf(metric, expirationDate) } : {};
    this.metrics.push({ member, metric, value, day: this.day(), ...ends });
    this.effects.metrics.push({ metric, value, ...ends, ...(issued ? { issued } : {}) });
  }

  /** Adds to a metric of a member, this one or another. */
  private addMetricOf(member: ObjectId, metric: string, value: number): void {
    if (member.equals(this.input.state.doc._id)) {
      this.addMetric(metric, value);
      return;
    }
    this.metricsOf(member).push({ member, metric, value, day: this.day() });
    this.effects.metrics.push({ metric, value, member });
  }

  private endOf(metric: string, own: Date): Date {
    const { state, context } = this.input;
    const held = addToLifetime(state.aggregates, this.metrics, context.now, state.doc._id);
    return lifetimeEnd(held, metric, own, context.now);
  }

  /** The day of the activity. */
  private day(): LocalDay {
    const { state, activity } = this.input;
    return localDay(activity.date, state.program.timezone);
  }

  private metricsOf(member: ObjectId): MetricEntry[] {
    return this.others.find(member)?.metrics ?? this.metrics;
  }

  /** Where what a rule awards or burns comes from. */
  origin(rule: ActingRule) {
    return { activity: this.input.activityId, rule: rule._id, ruleVersion: rule.version };
  }

  /** Writes an entry of `result.log` that shows a purse of the member as it is now. */
  recordPurse(action: string, rule: ActingRule, policyId: ObjectId): void {
    const { ledger } = this.input;
    this.log.record(action, rule, answeredPurse(ledger, ledger.purse(policyId), this.touchedLots()));
  }
}

/** @returns 2900 when a sum would be no exact integer */
function checked(what: string, act: () => ProcessingError | undefined): ProcessingError | undefined {
  return unlessOverflow(act, ({ message }) => ({ code: 2900, message: `${what} failed: ${message}`, status: 422 }));
}
