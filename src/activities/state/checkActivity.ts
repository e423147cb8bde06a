import { invalidField, notFound } from '../../common/errors';
import type { MemberState } from '../../memberState/memberState';
import { requireNotErased } from '../../memberState/readMember';
import type { Activity } from '../../records/activities/activity';
import type { ProcessingError } from '../../records/activities/activityHistory';
import { effectiveFault } from '../../schema/effective';
import type { BatchContext } from './batchContext';
import { codeFaults } from './codeFaults';
import { survivorOf } from './survivors';

/**
 * The member that an activity names; of a merged one the survivor (docs/design/activities.md, step 3).
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
  // What an inactive member does is recorded; of an erased one nothing may be any more.
  requireNotErased(state.doc);
  requireAgreement(context, state, activity);
  return state;
}

/** The member of this hexadecimal id or, when it was merged, the survivor. */
export function survivingState({ members }: BatchContext, id: string | undefined): MemberState | undefined {
  return survivorOf(
    id,
    (each) => members.get(each),
    ({ doc }) => doc,
  );
}

/**
 * Checks what an activity says of its member.
 * @throws ServiceError 1200 when the program is not the member's, or the original member or location is unknown
 */
export function requireAgreement(
  { members, named }: BatchContext,
  { doc }: MemberState,
  { program, originalMemberID, locationId }: Activity,
): void {
  if (program && !program.equals(doc.program)) {
    throw invalidField('program', 'reference', "is not the member's program");
  }
  if (originalMemberID && !members.has(originalMemberID.toHexString())) {
    throw invalidField('originalMemberID', 'reference', 'refers to no Member');
  }
  if (originalMemberID && doc.type !== 'Pooled') {
    throw invalidField('originalMemberID', 'reference', 'needs a pooled member, and the member is Individual');
  }
  if (locationId && !named.locationById.has(locationId.toHexString())) {
    throw invalidField('locationId', 'reference', 'refers to no Location');
  }
}

/** The member whose referral code an activity names; undefined when there is none. */
export function referrerOf(context: BatchContext, { referralCode }: Activity): MemberState | undefined {
  if (referralCode === undefined) return undefined;
  return survivingState(context, context.memberByReferralCode.get(referralCode));
}

/** What keeps an activity from the rules: a member or program that is not active, codes that lead nowhere. */
export function errorsBeforeRules(context: BatchContext, state: MemberState, activity: Activity): ProcessingError[] {
  if (state.doc.status !== 'Active') return [refused(2200, `The member is ${state.doc.status}, not Active`)];
  if (state.program.status !== 'Active') return [refused(2210, `The program is ${state.program.status}, not Active`)];
  const fault = effectiveFault(state.program.effective, activity.date);
  if (fault !== undefined) return [refused(2210, `The program ${fault}`)];
  const referrer = referrerOf(context, activity);
  return codeFaults({ context, state, activity, referrer }).map((message) => refused(2500, message));
}

/** An error of processing, as it stands in `result.errors` (docs/design/errors.md). */
export function refused(code: number, message: string): ProcessingError {
  return { code, message, status: 422 };
}
