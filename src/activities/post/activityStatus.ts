import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import { soughtForms } from '#base/schema/findable';
import { type Answer, ok, type Request } from '#platform/http/route';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { type Submission, submissionResource } from '#records/activities/submission';
import { findArchivedKeys } from '#records/archives/archivedKey';
import { archivedError } from '#records/archives/findArchived';

/** `GET /activity/status/{externalTxnId}`: the status of a submission, and its result (docs/design/activities.md). */
export async function activityStatus({ services, principal, params }: Request): Promise<Answer> {
  const key = params.externalTxnId ?? '';
  const submission = await collectionOf(services.db, submissionResource).findOne({
    org: principal.org,
    key: { $in: soughtForms(key) },
  });
  if (!submission) {
    const archived = (await findArchivedKeys(services.db, principal.org, [key])).get(key);
    throw archived ? archivedError(archived) : notFound('Submission');
  }
  const history =
    submission.status === 'Queued'
      ? null
      : await collectionOf(services.db, activityHistoryResource).findOne({
          _id: submission._id,
          org: principal.org,
        });
  return ok(history ? statusOfHistory(submission, history) : statusOfSubmission(submission));
}

function statusOfHistory({ key }: Submission, { _id, status, result }: ActivityHistory) {
  return { externalTxnId: key, status, activityId: _id, result };
}

/** The answer for a submission without a history: it is still queued, or it was refused. */
function statusOfSubmission({ key, status, outcome }: Submission) {
  if (!outcome) return { externalTxnId: key, status };
  return {
    externalTxnId: key,
    status,
    result: { log: [], errors: outcome.errors, data: { activityId: null, status } },
  };
}
