import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { PipelineRequest } from '#activities/state/pipelineRequest';
import { collectionOf } from '#base/db/collections';
import { comparable, soughtForms } from '#base/schema/findable';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import { type Submission, submissionResource } from '#records/activities/submission';
import { type ArchivedKey, findArchivedKeys } from '#records/archives/archivedKey';
import { type ArchivedActivity, findArchived } from '#records/archives/findArchived';

/** Ids of the activities that cancellations cancel. */
export function originalIds(requests: readonly PipelineRequest[]): ObjectId[] {
  return requests.flatMap(({ cancel }) => (cancel ? [cancel.originalId] : []));
}

/** Ids of the activities that caused occasions. */
export function causeIds(requests: readonly PipelineRequest[]): ObjectId[] {
  return requests.flatMap(({ activity: { occasion } }) => (occasion?.cause ? [occasion.cause] : []));
}

/** Ids of the histories of finished submissions, whose results may be answered again. */
export function finishedHistoryIds(submissions: readonly Submission[]): ObjectId[] {
  return submissions.filter(({ status }) => status !== 'Queued').map(({ _id }) => _id);
}

/** What is known of the keys of requests. */
interface KnownKeys {
  submissions: Submission[];
  archivedKeys: ReadonlyMap<string, ArchivedKey>;
}

/**
 * The submissions with the keys of the requests, and then the archived ones among the other keys. In this order: a
 * submission that moves to the archive meanwhile is in one of the two.
 */
export async function loadKeys(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<KnownKeys> {
  const submissions = await loadSubmissions(db, org, requests);
  const finished = new Set(submissions.filter(({ status }) => status !== 'Queued').map(({ key }) => comparable(key)));
  const keys = requests.flatMap(({ key }) => (key && !finished.has(comparable(key.key)) ? [key.key] : []));
  return { submissions, archivedKeys: await findArchivedKeys(db, org, keys) };
}

async function loadSubmissions(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<Submission[]> {
  const keys = requests.flatMap(({ key }) => (key ? [key.key] : []));
  if (keys.length === 0) return [];
  return collectionOf(db, submissionResource)
    .find({ org, key: { $in: keys.flatMap(soughtForms) } })
    .toArray();
}

/** The histories with these ids. */
export async function loadHistories(db: Connection, org: ObjectId, ids: ObjectId[]): Promise<ActivityHistory[]> {
  if (ids.length === 0) return [];
  return collectionOf(db, activityHistoryResource)
    .find({ _id: { $in: ids }, org })
    .toArray();
}

/** Those of these activities that have no history since they are in the archive, by hexadecimal id. */
export async function loadArchived(
  db: Connection,
  org: ObjectId,
  ids: readonly ObjectId[],
  found: readonly ActivityHistory[],
): Promise<Map<string, ArchivedActivity>> {
  const known = new Set(found.map(({ _id }) => _id.toHexString()));
  const missing = ids.filter((id) => !known.has(id.toHexString()));
  return missing.length === 0 ? new Map() : findArchived(db, org, missing);
}

/** Cancellations whose original does not match their `validate`. */
export async function findUnmetConditions(
  db: Connection,
  org: ObjectId,
  requests: readonly PipelineRequest[],
): Promise<Set<PipelineRequest>> {
  const unmet = new Set<PipelineRequest>();
  for (const request of requests) {
    if (!request.cancel?.validate) continue;
    const { originalId, validate } = request.cancel;
    const found = await collectionOf(db, activityHistoryResource).findOne(
      { $and: [{ _id: originalId, org }, validate] },
      { projection: { _id: 1 }, maxTimeMS: 800 },
    );
    if (!found) unmet.add(request);
  }
  return unmet;
}
