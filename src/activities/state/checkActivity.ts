import { invalidField, notFound, validationError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { effectiveFault } from '#base/schema/atoms';
import { toCodeKey } from '#base/schema/findable';
import type { ActingRule } from '#engine/rules/actions/actionTarget';
import { withProductNames } from '#engine/rules/format/productNames';
import type { MemberState } from '#members/memberState/memberState';
import { findSurvivor, requireNotErased } from '#members/memberState/readMember';
import { couponFault } from '#programs/offers/coupon';
import { priceFault } from '#programs/offers/price';
import { validityFault } from '#programs/offers/validity';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError } from '#records/activities/activityHistory';
import { occasionDepthMax } from '#records/activities/occasion';
import type { IssuedReward } from '#records/offers/issuedReward';
import { otherCurrency } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import { type BatchContext, findCoupon, findIssuedReward, type NamedRecords } from './batchContext';
import { choiceFault, findChoice, takenReward } from './choice';
import { type Naming, productFaults, type ReferenceField, referenceFault } from './references';

/**
 * The member that an activity names or, after a merge, the survivor (docs/design/activities.md, step 3).
 * @throws ServiceError 1500 when it is unknown; 1510 when it was erased; 1200 when ids contradict each other
 */
export function requireMember(context: BatchContext, activity: Activity): MemberState {
  const { memberID, loyaltyID } = activity;
  const byLoyaltyId = loyaltyID === undefined ? undefined : context.memberByLoyaltyId.get(loyaltyID);
  const state = survivingState(context, memberID?.toHexString() ?? byLoyaltyId);
  if (!state || (loyaltyID !== undefined && byLoyaltyId === undefined)) throw notFound('Member');
  if (byLoyaltyId !== undefined && survivingState(context, byLoyaltyId) !== state) {
    throw invalidField('loyaltyID', 'reference', message('activities.differentMembers'));
  }
  // The activity of an inactive member gets a history with an error. An erased member must get no new records at all.
  requireNotErased(state.doc);
  requireAgreement(context, state, activity);
  return state;
}

/** The member with this hexadecimal id or, after a merge, the survivor. */
export function survivingState({ members }: BatchContext, id: string | undefined): MemberState | undefined {
  return findSurvivor(
    id,
    (each) => members.get(each),
    ({ doc }) => doc,
  );
}

/**
 * Checks that an activity agrees with its member.
 * @throws ServiceError 1200 when the program or currency is not the member's program or its currency, or the original
 *   member or location is unknown
 */
export function requireAgreement(
  { members, named }: BatchContext,
  { doc, program: own }: MemberState,
  activity: Pick<Activity, 'type' | 'program' | 'originalMemberID' | 'originalTxnId' | 'locationId' | 'currencyCode'>,
): void {
  const { program, originalMemberID, currencyCode } = activity;
  if (program && !program.equals(doc.program)) {
    throw invalidField('program', 'reference', message('members.otherProgram'));
  }
  const other = otherCurrency(own, currencyCode);
  if (other !== undefined) throw invalidField('currencyCode', 'currency', other);
  requireKnown(activity, 'originalMemberID', members);
  if (originalMemberID && doc.type !== 'Pooled') {
    throw invalidField('originalMemberID', 'reference', message('activities.needsPooledMember'));
  }
  requireKnown(activity, 'locationId', named.locationById);
}

function requireKnown(activity: Naming, field: ReferenceField, known: { has(id: string): boolean }): void {
  const fault = referenceFault(activity, field, known);
  if (fault) throw validationError([fault]);
}

/**
 * The activity with both names of each known product in its line items (docs/design/activities.md, step 4).
 * @throws ServiceError 1200 when a line item names an unknown product, or two different ones
 */
export function requireProducts({ named }: Pick<BatchContext, 'named'>, activity: Activity): Activity {
  const faults = productFaults(activity, named.products);
  if (faults.length > 0) throw validationError(faults);
  return withProducts(named, activity);
}

/** The activity with both names of each known product in its line items. */
export function withProducts(named: Pick<NamedRecords, 'products'>, activity: Activity): Activity {
  if (named.products.byId.size === 0) return activity;
  const lineItems = withProductNames(activity.lineItems, named.products);
  return lineItems === activity.lineItems ? activity : { ...activity, lineItems };
}

/** The owner of the referral code that the activity names; undefined when there is none. */
export function findReferrer(context: BatchContext, { referralCode }: Activity): MemberState | undefined {
  if (referralCode === undefined) return undefined;
  return survivingState(context, context.memberByReferralCode.get(toCodeKey(referralCode)));
}

const tooDeep = message('activities.occasionsCauseEachOther', { max: occasionDepthMax });

/** Errors that stop an activity before the rules: the member or program is not active, or a code is not valid. */
export function errorsBeforeRules(context: BatchContext, state: MemberState, activity: Activity): ProcessingError[] {
  if (state.doc.status !== 'Active')
    return [refused(2200, message('activities.memberNotActive', { status: state.doc.status }))];
  if (state.program.status !== 'Active')
    return [refused(2210, message('activities.programNotActive', { status: state.program.status }))];
  const fault = state.program.effective && effectiveFault(state.program.effective, activity.date);
  if (fault !== undefined) return [refused(2210, message('activities.program', { fault }))];
  if ((activity.occasion?.depth ?? 0) > occasionDepthMax) return [refused(2600, tooDeep)];
  const referrer = findReferrer(context, activity);
  return codeFaults({ context, state, activity, referrer }).map((fault) => refused(2500, fault));
}

/** An entry of `result.errors` with status 422 (docs/design/errors.md). */
export function refused(code: number, fault: Message): ProcessingError {
  return { code, ...fault, status: 422 };
}

/** The purse policy with this name in the member's program. */
export function findPursePolicy({ policies }: MemberState, purse: string): PursePolicy | undefined {
  return policies.find(({ name }) => name === purse);
}

/** The error (2900) when the purse policy of a rule was deleted after the rule set was published. */
export function unknownPurse(purse: string, rule: ActingRule): ProcessingError {
  return {
    code: 2900,
    ...message('activities.ruleNamesPurseGone', { rule: rule.key, purse }),
    status: 422,
  };
}

/** What names a coupon, by its code or its id. */
type Named = Parameters<typeof findCoupon>[1];

/** An activity, its member, and the records that its codes name. */
interface CodesInput {
  context: Pick<BatchContext, 'named' | 'issued'>;
  state: MemberState;
  activity: Activity;
  /** The owner of the activity's referral code. */
  referrer: MemberState | undefined;
}

/** The faults of the codes that an activity names, one sentence for each. */
function codeFaults(input: CodesInput): Message[] {
  const ofCoupons = asksForCoupons(input.activity) ? couponFaults(input) : [];
  return [...partnerFaults(input), ...ofCoupons, ...referralFaults(input)];
}

/** Tells whether an activity names a coupon, or has a field that only a coupon needs. */
export function asksForCoupons({ couponCode, chosenReward, payPoints, lineItems }: Activity): boolean {
  const own = couponCode ?? chosenReward ?? payPoints;
  return own !== undefined || lineItems.some((item) => couponName(item) !== undefined);
}

function partnerFaults({ context: { named }, activity: { partnerCode } }: CodesInput): Message[] {
  if (partnerCode === undefined) return [];
  const partner = named.partnerByCode.get(partnerCode);
  if (!partner) return [message('activities.partnerCodeNotValid', { partnerCode })];
  if (partner.status === 'Active') return [];
  return [message('activities.partnerNotActive', { partnerCode, status: String(partner.status) })];
}

function couponFaults(input: CodesInput): Message[] {
  const { context, activity } = input;
  const { couponCode, chosenReward } = activity;
  const ofLines = activity.lineItems.flatMap((item) => {
    if (couponName(item) === undefined) return [];
    const isChoice = findChoice(context, item.couponCode) !== undefined;
    const fault = isChoice ? message('activities.choiceOnLine') : usableFault(input, item);
    return fault === undefined ? [] : [codeFault(item, fault)];
  });
  const choice = findChoice(context, couponCode);
  const fault = choice
    ? (issuedFault(choice, input.state) ?? choiceFault(context, choice, activity))
    : couponCode !== undefined && usableFault(input, { couponCode });
  const own = fault ? [codeFault({ couponCode }, fault)] : [];
  const strayReward = !choice && chosenReward !== undefined ? [message('activities.chosenRewardNeedsChoice')] : [];
  const all = [...own, ...ofLines, ...strayReward, ...(own.length > 0 ? [] : paymentFaults(input))];
  return [...new Map(all.map((each) => [each.message, each])).values()];
}

/** Checks `payPoints`. Points can be paid for a reward that is sent by its own code, or that is taken by a choice. */
function paymentFaults({ context, activity }: CodesInput): Message[] {
  const { couponCode, payPoints } = activity;
  if (payPoints === undefined) return [];
  const choice = findChoice(context, couponCode);
  const isIssued = couponCode !== undefined && findIssuedReward(context, couponCode) !== undefined;
  const sent = isIssued ? undefined : findCoupon(context.named, { couponCode });
  const coupon = choice ? takenReward(context, choice, activity) : sent;
  if (coupon?.kind !== 'reward') return [message('activities.payPointsNeedsReward')];
  const fault = priceFault(coupon.record.cost, payPoints);
  return fault === undefined ? [] : [message('activities.reward', { reward: coupon.record.code, fault })];
}

function usableFault({ context, state, activity }: CodesInput, item: Named) {
  const { date } = activity;
  const coupon = findCoupon(context.named, item);
  if (!coupon) return message('activities.notValid');
  const issued = item.couponCode === undefined ? undefined : findIssuedReward(context, item.couponCode);
  const late = issued && validityFault(issued, date);
  return issuedFault(issued, state) ?? late ?? couponFault(coupon, { program: state.program._id, date });
}

/** A code that was issued to a member is valid once, and for this member only. */
function issuedFault(issued: IssuedReward | undefined, { doc }: MemberState): Message | undefined {
  if (!issued) return undefined;
  if (![doc._id, ...doc.mergeIds].some((id) => id.equals(issued.member))) return message('activities.notValid');
  if (issued.status === 'Used') return message('activities.usedBefore');
  return issued.status === 'Withdrawn' ? message('activities.withdrawn') : undefined;
}

function couponName({ couponCode, offerId }: Named): string | undefined {
  return couponCode ?? offerId?.toHexString();
}

function codeFault({ couponCode, offerId }: Named, fault: Message): Message {
  if (couponCode !== undefined) return message('activities.couponCode', { code: couponCode, fault });
  return message('activities.offer', { offer: offerId?.toHexString() ?? '', fault });
}

function referralFaults({ state: { doc }, activity: { referralCode: code }, referrer }: CodesInput): Message[] {
  if (code === undefined) return [];
  if (!referrer?.doc.program.equals(doc.program)) return [message('activities.referralCodeNotValid', { code })];
  if (referrer.doc._id.equals(doc._id)) return [message('activities.referralCodeOwn', { code })];
  const { status } = referrer.doc;
  return status === 'Active' ? [] : [message('activities.referrerNotActive', { code, status })];
}
