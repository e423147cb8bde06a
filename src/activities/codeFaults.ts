import { couponFault } from '../offers/coupon';
import type { MemberState } from '../points/memberState';
import type { Activity } from './activity';
import { couponOf, type NamedRecords } from './namedRecords';

/** An activity, its member, and what its codes lead to. */
export interface CodesInput {
  named: NamedRecords;
  state: MemberState;
  activity: Activity;
  /** The member whose referral code it names. */
  referrer: MemberState | undefined;
}

/** What is wrong with the codes that an activity names, a sentence each (DESIGN 7, step 4). */
export function codeFaults(input: CodesInput): string[] {
  return [...partnerFaults(input), ...couponFaults(input), ...referralFaults(input)];
}

function partnerFaults({ named, activity: { partnerCode } }: CodesInput): string[] {
  if (partnerCode === undefined) return [];
  const partner = named.partnerByCode.get(partnerCode);
  if (!partner) return [`The partner code ${partnerCode} is not valid`];
  return partner.status === 'Active' ? [] : [`The partner ${partnerCode} is ${partner.status}, not Active`];
}

function couponFaults({ named, state, activity }: CodesInput): string[] {
  const used = { program: state.program._id, date: activity.date };
  const faults = [{ couponCode: activity.couponCode }, ...activity.lineItems].flatMap((item) => {
    const name = nameOf(item);
    if (name === undefined) return [];
    const coupon = couponOf(named, item);
    const fault = coupon ? couponFault(coupon, used) : 'is not valid';
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  return [...new Set(faults)];
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
