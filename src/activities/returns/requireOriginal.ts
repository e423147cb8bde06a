import type { BatchContext } from '#activities/state/batchContext';
import { refused, requireAgreement, survivingState } from '#activities/state/checkActivity';
import type { CancelRequest, PipelineRequest } from '#activities/state/pipelineRequest';
import { notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { MemberState } from '#members/memberState/memberState';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory, ProcessingError } from '#records/activities/activityHistory';
import { archivedError } from '#records/archives/findArchived';

/** The original and its member. */
export interface CancelledActivity {
  original: ActivityHistory;
  state: MemberState;
}

/**
 * Finds the original of a cancellation.
 * @throws ServiceError 1520 when it is in the archive; 1500 when it is unknown or belongs to another member than the
 *   request names; 1200 when a field of the request contradicts the member
 */
export function requireOriginal(
  context: BatchContext,
  activity: Activity,
  { originalId, memberId }: CancelRequest,
): CancelledActivity {
  const original = context.histories.get(originalId.toHexString());
  const state = original && survivingState(context, original.memberID.toHexString());
  const archived = context.archived.get(originalId.toHexString());
  if (!original && archived) throw archivedError(archived);
  if (!original || !state) throw notFound('Activity history');
  // The request may name the member of the history or, after a merge, the survivor or another member merged into it.
  const { _id, mergeIds } = state.doc;
  const owners = new Set([original.memberID, _id, ...mergeIds].map((id) => id.toHexString()));
  const { loyaltyID } = activity;
  const named = [memberId?.toHexString(), activity.memberID?.toHexString()].filter((id) => id !== undefined);
  if (loyaltyID !== undefined) named.push(context.memberByLoyaltyId.get(loyaltyID) ?? '');
  if (named.some((id) => !owners.has(id))) throw notFound('Activity history');
  requireAgreement(context, state, activity);
  return { original, state };
}

/** The error when the original cannot be cancelled; undefined when it can. */
export function cancelRefusal(
  context: BatchContext,
  original: ActivityHistory,
  request: PipelineRequest,
): ProcessingError | undefined {
  if (original.type === 'Cancellation') return refused(2310, message('returns.ofCancellation'));
  if (original.status === 'Error') return refused(2310, message('returns.noEffect'));
  if (original.status === 'Cancelled') return refused(2300, message('returns.cancelledAlready'));
  if (context.unmetConditions.has(request)) return refused(2320, message('returns.validateNotMet'));
  return undefined;
}
