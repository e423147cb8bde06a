import type { ObjectId } from 'bson';
import type { ActivityChanges } from '#activities/state/activityChanges';
import { findPursePolicy, unknownPurse } from '#activities/state/checkActivity';
import { findLastVisit, sumMetric } from '#activities/state/sumMetric';
import { addTerm } from '#base/calendar/localCalendar';
import { message, pickMessage } from '#base/common/messages/message';
import { accrue } from '#engine/points/ledger/accrue';
import type {
  ActingRule,
  ActionTarget,
  Award,
  ExtChange,
  IssuedChoice,
  LevelChange,
  MetricChange,
  Redemption,
  ReferralAward,
  Refusal,
  Transfer,
} from '#engine/rules/actions/actionTarget';
import { applyEffect, type Effect } from '#engine/rules/actions/list';
import type { EffectTarget } from '#engine/rules/decide/decideInput';
import type { MetricSum } from '#engine/rules/language/factParams';
import { changeSegment } from './changeSegment';
import { completeReferral } from './completeReferral';
import { issueChoice } from './issueChoice';
import { issueReward } from './issueReward';
import { type AwardShare, pooledAward } from './pooledAward';
import { setTier } from './setTier';
import { spendPoints } from './spendPoints';
import { transferPoints } from './transferPoints';

/**
 * The changes of an activity, as rules and their actions see them. It is a class, because V8 makes a hidden class for
 * each object literal with getters. Collecting those hidden classes took a tenth of all CPU time.
 */
export class RulesTarget implements EffectTarget, ActionTarget {
  constructor(private readonly target: ActivityChanges) {}

  get hasProducts(): boolean {
    return this.target.hasProducts;
  }

  get activityExt(): Readonly<Record<string, unknown>> | undefined {
    return this.target.activityExt;
  }

  memberFacts(): Readonly<Record<string, unknown>> {
    return this.target.memberFacts();
  }

  metric(sum: MetricSum): number {
    return sumMetric(this.target, sum, 'withOwn');
  }

  metricBefore(sum: MetricSum): number {
    return sumMetric(this.target, sum, 'before');
  }

  lastVisit(): Date | undefined {
    return findLastVisit(this.target);
  }

  apply(effect: Effect, rule: ActingRule): Refusal {
    return this.target.change(`Rule ${rule.key}`, () => applyEffect(this, effect, rule));
  }

  /** Awards points. With a pool, the head of the family gets a share as an award of its own with the same terms. */
  awardPoints(award: Award, rule: ActingRule): Refusal {
    const { state, ledger } = this.target.input;
    const policy = findPursePolicy(state, award.purse);
    if (!policy) return unknownPurse(award.purse, rule);
    const pooled = award.pool && pooledAward(this.target, award, rule);
    const own = { state, ledger, points: award.points - (pooled?.points ?? 0) };
    if (own.points > 0) this.give(award, own, rule, policy._id);
    if (pooled) this.give(award, pooled, rule, policy._id);
    this.target.recordPurse(award.type, rule, policy._id);
    return undefined;
  }

  /** Makes a lot and its journal entry for one of the members who share an award, and adds to its metrics. */
  private give(
    { n, escrow, expiry }: Award,
    { state, ledger, points }: AwardShare,
    rule: ActingRule,
    purse: ObjectId,
  ): void {
    const { input } = this.target;
    const isOwn = state === input.state;
    const lot = accrue(ledger, {
      purse,
      points,
      n,
      date: input.activity.date,
      origin: this.target.origin(rule),
      ...(escrow ? { escrow } : {}),
      ...(expiry ? { expiry } : {}),
      // One action makes two lots. The holder makes the id of the second one different.
      ...(isOwn ? {} : { holder: state.doc._id }),
    });
    this.target.recordAward(state, lot, points, n, { isPooled: !isOwn });
  }

  redeemPoints({ type, purse, points, n }: Redemption, rule: ActingRule): Refusal {
    const policy = findPursePolicy(this.target.input.state, purse);
    if (!policy) return unknownPurse(purse, rule);
    const error = spendPoints(this.target, { purse, points, n }, this.target.origin(rule));
    if (error) return error;
    this.target.recordPurse(type, rule, policy._id);
    return undefined;
  }

  transferPoints(transfer: Transfer, rule: ActingRule): Refusal {
    return transferPoints(this.target, transfer, rule);
  }

  completeReferral(award: ReferralAward, rule: ActingRule): Refusal {
    return completeReferral(this.target, award, rule);
  }

  /**
   * Adds to a metric of the member. With `expires`, the lifetime aggregate ends that long after the activity's date.
   */
  addMetric({ type, metric, value, expires }: MetricChange, rule: ActingRule): undefined {
    const { state, activity } = this.target.input;
    const end = expires && addTerm(activity.date, expires.value, expires.unit, state.program.timezone);
    this.target.addMetric(metric, value, { expirationDate: end });
    this.target.log.record(type, rule, { metric, value });
  }

  setTier(change: LevelChange, rule: ActingRule): Refusal {
    return setTier(this.target, change, rule);
  }

  changeSegment(change: { type: string; segment: string; isIn: boolean }, rule: ActingRule): Refusal {
    return changeSegment(this.target, change, rule);
  }

  /** Sets extension fields of the member or the activity, and checks them against the definitions of the org. */
  setExt({ type, on, values }: ExtChange, rule: ActingRule): Refusal {
    const { target } = this;
    const { activity, context } = target.input;
    const before = on === 'member' ? target.memberDoc().ext : (target.activityExt ?? activity.ext);
    const model = on === 'member' ? 'Member' : 'ActivityHistory';
    const { ext = {}, faults } = context.extDefinitions.check(model, { ...before, ...values }, { isNew: false });
    const [fault] = faults;
    if (fault) {
      const what = { rule: rule.key, path: fault.path, fault: pickMessage(fault) };
      return { code: 2900, ...message('activities.ruleFieldFault', what), status: 422 };
    }
    if (on === 'member') target.setOwn({ ext });
    else target.activityExt = ext;
    target.log.record(type, rule, { on, values });
    return undefined;
  }

  setData({ type, values }: { type: string; values: Readonly<Record<string, unknown>> }, rule: ActingRule): undefined {
    this.target.data = { ...this.target.data, ...values };
    this.target.log.record(type, rule, values);
  }

  /** Adds the products to the line items of the history and, from the next rule level on, to the fact `activity`. */
  lookupProducts({ type }: { type: string }, rule: ActingRule): undefined {
    this.target.hasProducts = true;
    const { activity, context } = this.target.input;
    const { bySku } = context.named.products;
    const found = activity.lineItems.filter(({ itemSKU = '' }) => bySku.has(itemSKU)).length;
    this.target.log.record(type, rule, { lineItems: activity.lineItems.length, products: found });
  }

  issueReward(effect: { type: string; reward: string; n: number }, rule: ActingRule): Refusal {
    return issueReward(this.target, effect, rule);
  }

  issueChoice(choice: IssuedChoice & { type: string }, rule: ActingRule): Refusal {
    return issueChoice(this.target, choice, rule);
  }

  /** Notes an offer. `applyCoupons` applies it after all rules, when the best combination is known. */
  applyOffer({ offer }: { offer: string }, rule: ActingRule): undefined {
    const { offers } = this.target.coupons;
    if (!offers.has(offer)) offers.set(offer, rule);
  }

  log({ type, message }: { type: string; message: string }, rule: ActingRule): undefined {
    this.target.log.record(type, rule, message);
  }
}
