import type { Plan } from '#activities/commit/plan';
import { answeredMember } from '#activities/state/answeredMember';
import type { BatchContext } from '#activities/state/batchContext';
import { survivingState } from '#activities/state/checkActivity';
import type { Outcome, PipelineRequest } from '#activities/state/pipelineRequest';
import { PlanBuilder } from '#activities/state/planBuilder';
import { errorEntry, ServiceError, unavailable } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { keyReused } from '#platform/http/keys/whileInFlight';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import { archivedError } from '#records/archives/findArchived';
import { decideCancel } from './decideCancel';
import { decidePost } from './decidePost';

/** The decisions of a batch: the outcome of each request, and the plan to commit before any of them is answered. */
export interface BatchDecision {
  outcomes: (Outcome | ServiceError)[];
  plan: Plan | undefined;
}

/** Decides requests one after the other. Each one sees the changes of those before it. Writes nothing. */
export async function decideBatch(context: BatchContext, requests: readonly PipelineRequest[]): Promise<BatchDecision> {
  const builder = new PlanBuilder(context);
  const outcomes: (Outcome | ServiceError)[] = [];
  for (const request of requests) outcomes.push(await decideRequest(context, builder, request));
  return { outcomes, plan: builder.finish() };
}

async function decideRequest(
  context: BatchContext,
  builder: PlanBuilder,
  request: PipelineRequest,
): Promise<Outcome | ServiceError> {
  try {
    // The process that handed it over decides now. What was read before it did so cannot change behind its back, because
    // the guards of the commit then fail.
    if (request.isGone?.()) return unavailable(message('activities.notInTime'));
    const finished = context.histories.get(request.historyId.toHexString());
    if (finished) return finishedBefore(context, finished);
    requireKeyNotArchived(context, request);
    const earlier = request.key && context.submissions.get(request.key.key);
    if (earlier && !isOwn(earlier, request)) return replay(context, earlier, request);
    return request.cancel
      ? await decideCancel(context, builder, request, request.cancel)
      : await decidePost(context, builder, request);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    builder.refuse(request, [errorEntry(error)]);
    return error;
  }
}

/** Refuses a request whose submission is in the archive; a queued one ends with the error. */
function requireKeyNotArchived({ archivedKeys }: BatchContext, { key }: PipelineRequest): void {
  const archived = key && archivedKeys.get(key.key);
  if (archived) throw archived.isOf(key.hash) ? archivedError(archived) : keyReused('externalTxnId');
}

/** True when the submission is still queued and this request processes it. Otherwise the request is a replay. */
function isOwn(submission: Submission, { submissionId }: PipelineRequest): boolean {
  return submission.status === 'Queued' && submissionId !== undefined && submission._id.equals(submissionId);
}

function replay(context: BatchContext, submission: Submission, { key }: PipelineRequest): Outcome | ServiceError {
  if (submission.hash !== key?.hash) return keyReused('externalTxnId');
  if (submission.status === 'Queued') {
    return new ServiceError('inFlight', message('activities.keyInFlight'), {
      headers: { 'Retry-After': '1' },
    });
  }
  const history = context.histories.get(submission._id.toHexString());
  const archived = context.archived.get(submission._id.toHexString());
  if (!history && archived) return archivedError(archived);
  if (!history && submission.status === 'Processed') {
    return new ServiceError('gone', message('activities.historyExpired'));
  }
  if (!history) return refusedAgain(submission);
  return { ...finishedBefore(context, history), replayed: true };
}

/** The outcome of an activity that another attempt or process has committed already. */
function finishedBefore(context: BatchContext, { memberID, result }: ActivityHistory): Outcome {
  const state = survivingState(context, memberID.toHexString());
  return { result, ...(state ? { member: answeredMember(state) } : {}), replayed: false };
}

function refusedAgain({ status, outcome }: Submission): Outcome {
  return {
    result: { log: [], errors: outcome?.errors ?? [], data: { activityId: null, status } },
    replayed: true,
  };
}
