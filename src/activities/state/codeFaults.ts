import type { MemberState } from '../../memberState/memberState';
import { couponFault } from '../../offers/coupon';
import type { Activity } from '../../records/activities/activity';
import type { IssuedReward } from '../../records/offers/issuedReward';
import type { BatchContext } from './batchContext';
import { couponOf, issuedOf } from './namedRecords';

/** An activity, its member, and what its codes lead to. */
export interface CodesInput {
  context: Pick<BatchContext, 'named' | 'issued'>;
  state: MemberState;
  activity: Activity;
  /** The member whose referral code it names. */
  referrer: MemberState | undefined;
}

/** What is wrong with the codes that an activity names, a sentence each (docs/design/activities.md, step 4). */
export function codeFaults(input: CodesInput): string[] {
  return [...partnerFaults(input), ...couponFaults(input), ...referralFaults(input)];
}

function partnerFaults({ context: { named }, activity: { partnerCode } }: CodesInput): string[] {
  if (partnerCode === undefined) return [];
  const partner = named.partnerByCode.get(partnerCode);
  if (!partner) return [`The partner code ${partnerCode} is not valid`];
  return partner.status === 'Active' ? [] : [`The partner ${partnerCode} is ${partner.status}, not Active`];
}

function couponFaults({ context, state, activity }: CodesInput): string[] {
  const used = { program: state.program._id, date: activity.date };
  const faults = [{ couponCode: activity.couponCode }, ...activity.lineItems].flatMap((item) => {
    const name = nameOf(item);
    if (name === undefined) return [];
    const coupon = couponOf(context.named, item);
    const issued = item.couponCode === undefined ? undefined : issuedOf(context, item.couponCode);
    const fault = coupon ? (issuedFault(issued, state) ?? couponFault(coupon, used)) : 'is not valid';
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  return [...new Set(faults)];
}

/** A code that was given to a member is good once, and for this member only. */
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
