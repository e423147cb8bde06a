import type { ObjectId } from 'bson';
import { newStamps } from '../../db/records';
import type { BatchContext } from '../state/batchContext';
import type { PlanDraft } from '../state/planDraft';
import type { Work } from '../state/work';

/** The id of the history a work becomes, and of its submission when it has a key. */
export function historyIdFor({ historyId, key }: Work): { activityId: ObjectId; submissionId?: ObjectId } {
  return key ? { activityId: historyId, submissionId: historyId } : { activityId: historyId };
}

/** Records in the plan that the submission of a work ends with this status; a synchronous one is stored with it. */
export function recordSubmission(
  context: BatchContext,
  draft: PlanDraft,
  work: Work,
  submissionId: ObjectId | undefined,
  status: 'Processed' | 'Error',
): void {
  if (work.submissionId) {
    draft.finished[status].push(work.submissionId);
    return;
  }
  if (!work.key || !submissionId) return;
  const { key, hash, expiresAt } = work.key;
  draft.submissions.push({
    key,
    hash,
    status,
    acceptedAt: context.now,
    attempts: 0,
    ...newStamps(work.author, context.now, submissionId),
    ...(expiresAt ? { expiresAt } : {}),
  });
}
