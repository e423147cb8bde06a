import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { inSnapshot, type SnapshotOptions } from '#base/db/inSnapshot';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { type Submission, submissionResource } from '#records/activities/submission';
import { readArchivedAmong } from '#records/archives/findArchived';
import type { OrgCheck, ReconciledOrg } from '../reconciledOrg';

/** Number of submissions that one snapshot compares with their histories. */
const pageSize = 2000;

type Compared = Pick<Submission, '_id' | 'key' | 'status'> & { hasRequest: boolean; hasOutcome: boolean };

/**
 * Finds submissions that were acknowledged and are lost: they neither wait nor were refused, and have no history. Also
 * those that wait although they have one.
 */
export const submissions: OrgCheck = async function* ({ db, org, deletedBefore, archived }) {
  let last: string | undefined;
  do {
    const { page, statuses, later } = await inSnapshot(db, (at) => readPage(db, at, { org, archived, after: last }));
    for (const submission of page) {
      const hex = submission._id.toHexString();
      const isGone = deletedBefore !== undefined || archived.has(hex) || later.has(hex);
      const fault = faultOf(submission, statuses.get(hex), isGone);
      if (fault) yield { message: `Submission ${submission._id} of org ${org} ${fault}` };
    }
    last = page.length < pageSize ? undefined : page.at(-1)?.key;
  } while (last !== undefined);
};

/** Reads the next submissions, in order of their keys, with the statuses of their histories. */
async function readPage(
  db: Connection,
  at: SnapshotOptions,
  { org, archived, after }: Pick<ReconciledOrg, 'org' | 'archived'> & { after: string | undefined },
) {
  const page = await collectionOf(db, submissionResource)
    .find({ org, ...(after === undefined ? {} : { key: { $gt: after } }) }, at)
    .project<Compared>({ key: 1, status: 1, hasRequest: isThere('$request'), hasOutcome: isThere('$outcome') })
    .sort({ org: 1, key: 1 })
    .limit(pageSize)
    .toArray();
  const found = await collectionOf(db, activityHistoryResource)
    .find({ org, _id: { $in: page.map(({ _id }) => _id) } }, at)
    .project<Pick<ActivityHistory, '_id' | 'status'>>({ status: 1 })
    .toArray();
  const statuses = new Map(found.map(({ _id, status }) => [_id.toHexString(), status]));
  // Those that were archived since the run began; most of the others without a history were refused.
  const missing = page.flatMap(({ _id, status }) => {
    const hex = _id.toHexString();
    return status === 'Queued' || statuses.has(hex) || archived.has(hex) ? [] : [_id];
  });
  return { page, statuses, later: await readArchivedAmong(db, at, org, missing) };
}

function isThere(path: string) {
  return { $ne: [{ $type: path }, 'missing'] };
}

function faultOf(
  { status, hasRequest, hasOutcome }: Compared,
  history: ActivityHistory['status'] | undefined,
  isHistoryGone: boolean,
): string | undefined {
  if (status === 'Queued') {
    if (history) return 'waits to be processed, but has a history';
    return hasRequest ? undefined : 'waits to be processed, but has no request';
  }
  if (status === 'Error' && hasOutcome) return history ? 'was refused, but has a history' : undefined;
  if (!history) return isHistoryGone ? undefined : `is ${status}, but has no history`;
  return (status === 'Error') === (history === 'Error') ? undefined : `is ${status}, but its history is ${history}`;
}
