import { invalidField, notFound, validationError } from '#base/common/errors';
import { effectiveFault } from '#base/schema/atoms';
import { codeKeyOf } from '#base/schema/findable';
import type { ActingRule } from '#engine/rules/actions/actionTarget';
import { withProductNames } from '#engine/rules/format/productNames';
import type { MemberState } from '#members/memberState/memberState';
import { requireNotErased, survivorOf } from '#members/memberState/readMember';
import { couponFault } from '#programs/offers/coupon';
import { priceFault } from '#programs/offers/price';
import { validityFault } from '#programs/offers/validity';
import type { Activity } from '#records/activities/activity';
import type { ProcessingError } from '#records/activities/activityHistory';
import { occasionDepthMax } from '#records/activities/occasion';
import type { IssuedReward } from '#records/offers/issuedReward';
import { otherCurrency } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import { type BatchContext, couponOf, issuedOf, type NamedRecords } from './batchContext';
import { choiceFault, choiceOf, takenReward } from './choice';
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
    throw invalidField('loyaltyID', 'reference', 'memberID and loyaltyID name different members');
  }
  // The activity of an inactive member gets a history with an error. An erased member must get no new records at all.
  requireNotErased(state.doc);
  requireAgreement(context, state, activity);
  return state;
}

/** The member with this hexadecimal id or, after a merge, the survivor. */
export function survivingState({ members }: BatchContext, id: string | undefined): MemberState | undefined {
  return survivorOf(
    id,
    (each) => members.get(each),
    ({ doc }) => doc,
  );
}

/**
 * Checks that an activity agrees with its member.
 * @throws ServiceError 1200 when the program is not the member's, the currency not that of the program, or the original
 *   member or location is unknown
 */
export function requireAgreement(
  { members, named }: BatchContext,
  { doc, program: own }: MemberState,
  activity: Pick<Activity, 'type' | 'program' | 'originalMemberID' | 'originalTxnId' | 'locationId' | 'currencyCode'>,
): void {
  const { program, originalMemberID, currencyCode } = activity;
  if (program && !program.equals(doc.program)) {
    throw invalidField('program', 'reference', "is not the member's program");
  }
  const other = otherCurrency(own, currencyCode);
  if (other !== undefined) throw invalidField('currencyCode', 'currency', other);
  requireKnown(activity, 'originalMemberID', members);
  if (originalMemberID && doc.type !== 'Pooled') {
    throw invalidField('originalMemberID', 'reference', 'needs a pooled member, and the member is Individual');
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
export function referrerOf(context: BatchContext, { referralCode }: Activity): MemberState | undefined {
  if (referralCode === undefined) return undefined;
  return survivingState(context, context.memberByReferralCode.get(codeKeyOf(referralCode)));
}

const tooDeep = `The rules for occasions cause each other: more than ${occasionDepthMax} in a row`;

/** Errors that stop an activity before the rules: the member or program is not active, or a code is not valid. */
export function errorsBeforeRules(context: BatchContext, state: MemberState, activity: Activity): ProcessingError[] {
  if (state.doc.status !== 'Active') return [refused(2200, `The member is ${state.doc.status}, not Active`)];
  if (state.program.status !== 'Active') return [refused(2210, `The program is ${state.program.status}, not Active`)];
  const fault = state.program.effective && effectiveFault(state.program.effective, activity.date);
  if (fault !== undefined) return [refused(2210, `The program ${fault}`)];
  if ((activity.occasion?.depth ?? 0) > occasionDepthMax) return [refused(2600, tooDeep)];
  const referrer = referrerOf(context, activity);
  return codeFaults({ context, state, activity, referrer }).map((message) => refused(2500, message));
}

/** An entry of `result.errors` with status 422 (docs/design/errors.md). */
export function refused(code: number, message: string): ProcessingError {
  return { code, message, status: 422 };
}

/** The purse policy with this name in the member's program. */
export function purseOf({ policies }: MemberState, purse: string): PursePolicy | undefined {
  return policies.find(({ name }) => name === purse);
}

/** The error (2900) when the purse policy of a rule was deleted after the rule set was published. */
export function unknownPurse(purse: string, rule: ActingRule): ProcessingError {
  return {
    code: 2900,
    message: `Rule ${rule.key} names the purse ${purse}, which the program has no more`,
    status: 422,
  };
}

/** An activity, its member, and the records that its codes name. */
interface CodesInput {
  context: Pick<BatchContext, 'named' | 'issued'>;
  state: MemberState;
  activity: Activity;
  /** The owner of the activity's referral code. */
  referrer: MemberState | undefined;
}

/** The faults of the codes that an activity names, one sentence for each. */
function codeFaults(input: CodesInput): string[] {
  const ofCoupons = asksForCoupons(input.activity) ? couponFaults(input) : [];
  return [...partnerFaults(input), ...ofCoupons, ...referralFaults(input)];
}

/** Tells whether an activity names a coupon or what belongs to one. */
export function asksForCoupons({ couponCode, chosenReward, payPoints, lineItems }: Activity): boolean {
  const own = couponCode ?? chosenReward ?? payPoints;
  return own !== undefined || lineItems.some((item) => nameOf(item) !== undefined);
}

function partnerFaults({ context: { named }, activity: { partnerCode } }: CodesInput): string[] {
  if (partnerCode === undefined) return [];
  const partner = named.partnerByCode.get(partnerCode);
  if (!partner) return [`The partner code ${partnerCode} is not valid`];
  return partner.status === 'Active' ? [] : [`The partner ${partnerCode} is ${partner.status}, not Active`];
}

function couponFaults(input: CodesInput): string[] {
  const { context, activity } = input;
  const { couponCode, chosenReward } = activity;
  const ofLines = activity.lineItems.flatMap((item) => {
    const name = nameOf(item);
    if (name === undefined) return [];
    const isChoice = choiceOf(context, item.couponCode) !== undefined;
    const fault = isChoice ? 'is a choice, not for line items' : usableFault(input, item);
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  const choice = choiceOf(context, couponCode);
  const fault = choice
    ? (issuedFault(choice, input.state) ?? choiceFault(context, choice, activity))
    : couponCode !== undefined && usableFault(input, { couponCode });
  const own = fault ? [`The coupon code ${couponCode} ${fault}`] : [];
  const stray = !choice && chosenReward !== undefined ? ['chosenReward needs the code of a choice as couponCode'] : [];
  return [...new Set([...own, ...ofLines, ...stray, ...(own.length > 0 ? [] : paymentFaults(input))])];
}

/** Points are paid for a reward that is sent by its own code, or that is taken by a choice. */
function paymentFaults({ context, activity }: CodesInput): string[] {
  const { couponCode, payPoints } = activity;
  if (payPoints === undefined) return [];
  const choice = choiceOf(context, couponCode);
  const isIssued = couponCode !== undefined && issuedOf(context, couponCode) !== undefined;
  const sent = isIssued ? undefined : couponOf(context.named, { couponCode });
  const coupon = choice ? takenReward(context, choice, activity) : sent;
  if (coupon?.kind !== 'reward') return ['payPoints needs a reward as couponCode'];
  const fault = priceFault(coupon.record.cost, payPoints);
  return fault === undefined ? [] : [`The reward ${coupon.record.code} ${fault}`];
}

function usableFault({ context, state, activity }: CodesInput, item: Parameters<typeof couponOf>[1]) {
  const { date } = activity;
  const coupon = couponOf(context.named, item);
  if (!coupon) return 'is not valid';
  const issued = item.couponCode === undefined ? undefined : issuedOf(context, item.couponCode);
  const late = issued && validityFault(issued, date);
  return issuedFault(issued, state) ?? late ?? couponFault(coupon, { program: state.program._id, date });
}

/** A code that was issued to a member is valid once, and for this member only. */
function issuedFault(issued: IssuedReward | undefined, { doc }: MemberState): string | undefined {
  if (!issued) return undefined;
  if (![doc._id, ...doc.mergeIds].some((id) => id.equals(issued.member))) return 'is not valid';
  return { Issued: undefined, Used: 'was used before', Withdrawn: 'was withdrawn' }[issued.status];
}

function nameOf({ couponCode, offerId }: Parameters<typeof couponOf>[1]): string | undefined {
  if (couponCode !== undefined) return `The coupon code ${couponCode}`;
  return offerId && `The offer ${offerId.toHexString()}`;
}

function referralFaults({ state: { doc }, activity: { referralCode }, referrer }: CodesInput): string[] {
  if (referralCode === undefined) return [];
  const name = `The referral code ${referralCode}`;
  if (!referrer?.doc.program.equals(doc.program)) return [`${name} is not valid`];
  if (referrer.doc._id.equals(doc._id)) return [`${name} is the member's own`];
  const { status } = referrer.doc;
  return status === 'Active' ? [] : [`${name} belongs to a member who is ${status}, not Active`];
}
