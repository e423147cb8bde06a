import { calculateObjectSize } from 'bson';
import { type Accepted, type AcceptServices, acceptSubmissions } from '#activities/inbox/acceptSubmissions';
import { elapsedMs } from '#base/common/clock';
import { malformed, ServiceError, unavailable, validationError } from '#base/common/errors';
import { message, pickMessage } from '#base/common/messages/message';
import { mapYielding } from '#base/common/yielding';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { pickOrigin } from '#base/tracing/origin';
import { keyKeptUntil, sentKey } from '#platform/http/keys/sentKey';
import type { Answer, Request, RequestWith } from '#platform/http/route';
import type { Activity } from '#records/activities/activity';
import { type ActivityHistory, activityHistoryResource } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import { loadParseContext, parseActivities } from './parseActivity';
import { type AcceptedSubmission, acceptedBody, readCancelRequest, routeName, withKey } from './postActivity';
import { bulkEntryKey, requestKeyOrNew } from './postOptions';
import { unknownReferences } from './unknownReferences';

/** Most activities of one bulk post. */
export const bulkMax = 1000;

/** `POST /activities/bulk?async=true`: accepts or refuses each of many activities (docs/design/activities.md). */
export async function postBulk(request: RequestWith<AcceptServices>): Promise<Answer> {
  const { services, principal, query, body: sent, rawBody, now, endsAt } = request;
  if (query.async !== 'true') throw malformed(message('activities.bulkNeedsAsync'));
  const bodies = readBodies(sent);
  const asSent = readBodies(rawBody);
  const bulkKey = sentKey(request.headers);
  const origin = pickOrigin(request);
  const parsed = await refuseUnknownReferences(
    request,
    await parseActivities(bodies, await loadParseContext(request, now)),
  );
  const keptUntil = keyKeptUntil(request.machineClock.now(), services.config);
  const accepted = await mapYielding(parsed, (activity, index) => {
    if (activity instanceof Error) return activity;
    const cancel = readCancelRequest(activity, bodies[index]);
    if (cancel && !principal.permissions.has('activity:cancel')) return cancelForbidden();
    const single = { activity, ...(cancel ? { cancel } : {}) };
    const { externalTxnId } = activity;
    const entry = { route: routeName(single), body: asSent[index], keptUntil };
    const key =
      bulkKey !== undefined && externalTxnId === undefined
        ? bulkEntryKey({ ...entry, org: principal.org, bulkKey, index })
        : requestKeyOrNew({ ...entry, externalTxnId, headers: {} });
    return withKey({ ...single, origin }, key);
  });
  const durable = accepted.filter((each): each is Accepted => !(each instanceof Error));
  // The client has received 503 by now and will retry. This is checked only once: after the first part is stored, the
  // rest is stored too.
  if (elapsedMs() >= endsAt) throw unavailable(message('activities.notAccepted'));
  const submissions = await withPresentStatus(services, principal, await acceptInParts(services, principal, durable));
  let next = 0;
  const body = accepted.map((each, index) => {
    const outcome = each instanceof Error ? each : submissions[next++];
    if (outcome === undefined || outcome instanceof Error) return { index, error: errorBody(outcome) };
    return { index, ...acceptedBody(outcome) };
  });
  return { status: 202, body };
}

/** Most bytes that one insert writes, so that a large bulk post does not delay other requests. */
const partMaxBytes = 1_048_576;

async function acceptInParts(services: AcceptServices, author: Author, accepted: readonly Accepted[]) {
  const sizes = await mapYielding(accepted, ({ activity }) => calculateObjectSize(activity));
  const submissions: (Submission | ServiceError)[] = [];
  for (let start = 0; start < accepted.length; ) {
    let [end, bytes] = [start + 1, sizes[start] ?? 0];
    for (let next = sizes[end]; next !== undefined && bytes + next <= partMaxBytes; next = sizes[end]) {
      bytes += next;
      end += 1;
    }
    submissions.push(...(await acceptSubmissions(services, author, accepted.slice(start, end))));
    start = end;
  }
  return submissions;
}

async function refuseUnknownReferences({ services, principal }: Request, parsed: (Activity | ServiceError)[]) {
  const activities = parsed.filter((each): each is Activity => !(each instanceof ServiceError));
  const faults = await unknownReferences(services.db, principal.org, activities);
  const refused = new Map(activities.map((activity, index) => [activity, faults[index] ?? []]));
  return parsed.map((each) => {
    const own = each instanceof ServiceError ? [] : (refused.get(each) ?? []);
    return own.length > 0 ? validationError(own) : each;
  });
}

/**
 * Replaces the status of finished submissions by the present status of their activity, which may be cancelled by now.
 */
async function withPresentStatus(
  { db }: AcceptServices,
  { org }: Author,
  submissions: readonly (Submission | ServiceError)[],
): Promise<(ServiceError | AcceptedSubmission)[]> {
  const finished = submissions.flatMap((each) => (each instanceof Error || each.status === 'Queued' ? [] : [each._id]));
  if (finished.length === 0) return [...submissions];
  const histories = await collectionOf(db, activityHistoryResource)
    .find({ _id: { $in: finished }, org })
    .project<Pick<ActivityHistory, '_id' | 'status'>>({ status: 1 })
    .toArray();
  const statuses = new Map(histories.map(({ _id, status }) => [_id.toHexString(), status]));
  return submissions.map((each) => {
    const status = each instanceof Error ? undefined : statuses.get(each._id.toHexString());
    return status && !(each instanceof Error) ? { ...each, status } : each;
  });
}

function readBodies(rawBody: unknown): unknown[] {
  if (!Array.isArray(rawBody)) throw malformed(message('activities.bodyNotList'));
  if (rawBody.length === 0 || rawBody.length > bulkMax)
    throw malformed(message('activities.bulkSize', { max: bulkMax }));
  return rawBody;
}

function cancelForbidden(): ServiceError {
  return new ServiceError('forbidden', message('activities.cancelPermission'));
}

function errorBody(error: unknown) {
  if (!(error instanceof ServiceError)) throw error;
  const { code, status, details } = error;
  return { code, ...pickMessage(error), status, ...(details.errors ? { errors: details.errors } : {}) };
}
