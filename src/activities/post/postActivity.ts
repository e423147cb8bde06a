import { ObjectId } from 'bson';
import { type Accepted, type AcceptServices, acceptSubmissions } from '#activities/inbox/acceptSubmissions';
import type { Pipeline } from '#activities/pipeline/pipeline';
import { type BatchServices, tryActivity } from '#activities/pipeline/processBatch';
import type { CancelRequest, Outcome, PipelineRequest, RequestKey } from '#activities/state/pipelineRequest';
import { ServiceError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import type { Author } from '#base/db/records';
import { originOf } from '#base/tracing/origin';
import { requirePermission } from '#platform/auth/authenticate';
import { keyKeptUntil } from '#platform/http/keys/sentKey';
import type { Answer, RequestWith } from '#platform/http/route';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import { parseActivity, parseContextOf } from './parseActivity';
import { type PostOptions, parsePostOptions, requestKey, requestKeyOrNew, shownResult } from './postOptions';
import { requireKnownReferences } from './unknownReferences';

/** How long a post waits for the first request with the same key. */
const inFlightWaitMs = 2000;
const inFlightPollMs = 50;

/** The services that processing and accepting activities need. */
export type ActivityServices = Omit<BatchServices, 'openLease'> & AcceptServices & { pipeline: Pipeline };

/** `POST /activity`: processes an activity now, or accepts it with `async=true` (SPEC endpoint 6). */
export async function postActivity(request: RequestWith<ActivityServices>): Promise<Answer> {
  const options = parsePostOptions(request.query);
  const now = options.asOf ?? request.now;
  const activity = await parseActivity(request.body, await parseContextOf(request, now));
  const cancel = cancellationOf(activity, request.body);
  if (cancel) requirePermission(request.principal, 'activity:cancel');
  return handleActivity(request, options, { activity, ...(cancel ? { cancel } : {}) });
}

/** Reads a posted Cancellation as a cancel. Undefined for any other activity. */
export function cancellationOf(activity: Activity, sent: unknown): CancelRequest | undefined {
  if (activity.type !== 'Cancellation' || !activity.originalTxnId) return undefined;
  return {
    originalId: activity.originalTxnId,
    ...namedPart(activity, sent),
    ...(activity.memberID ? { memberId: activity.memberID } : {}),
  };
}

/** The part of the original that a cancellation names: line items, a value, both, or neither. */
export function namedPart(
  { value, lineItems }: Pick<Activity, 'value' | 'lineItems'>,
  sent: unknown,
): Pick<CancelRequest, 'value' | 'lines'> {
  const hasValue = isPlainObject(sent) && typeof sent.value === 'number';
  return { ...(hasValue ? { value } : {}), ...(lineItems.length > 0 ? { lines: lineItems } : {}) };
}

/** Accepts (`async`), evaluates (`persist=false`) or processes an activity or cancellation, and answers it. */
export async function handleActivity(
  request: RequestWith<ActivityServices>,
  options: PostOptions,
  parsed: Pick<Accepted, 'activity' | 'cancel'>,
): Promise<Answer> {
  const { services, principal, headers, rawBody, now, endsAt } = request;
  const { externalTxnId } = parsed.activity;
  const keptUntil = keyKeptUntil(request.machineClock.now(), services.config);
  const keyed = { route: routeOf(parsed), body: rawBody, externalTxnId, headers, keptUntil };
  const author = { org: principal.org, userId: principal.userId };
  const { explain, language } = options;
  const pipelineRequest = {
    author,
    versions: principal.versions,
    historyId: new ObjectId(),
    origin: originOf(request),
    ...parsed,
    explain,
    language,
    endsAt,
  };
  // Processing checks every reference except `originalTxnId` of an activity that is no Cancellation.
  if (options.isAsync || parsed.activity.originalTxnId) {
    await requireKnownReferences(services.db, principal.org, parsed.activity);
  }
  if (options.isAsync) {
    const accepted = withKey({ ...parsed, origin: originOf(request) }, requestKeyOrNew(keyed));
    const submission = await acceptOne(services, author, accepted);
    // The first request with this key is finished, so its result can be answered now.
    if (submission.status !== 'Queued')
      return answer(await submitWaiting(services, { ...pipelineRequest, key: accepted.key }), options);
    return { status: 202, body: acceptedBody(submission), headers: { Location: statusPath(submission.key) } };
  }
  if (!options.persist) {
    return answer(await tryActivity(services, pipelineRequest, options.asOf ?? now), options);
  }
  const key = requestKey(keyed);
  return answer(await submitWaiting(services, key ? { key, ...pipelineRequest } : pipelineRequest), options);
}

/** The route that the hash of a request covers. */
export function routeOf({ cancel }: Pick<Accepted, 'cancel'>): string {
  return cancel ? `cancel ${cancel.originalId.toHexString()}` : 'activity';
}

/**
 * Submits, and waits for the first request with the same key while it is in flight.
 * @throws ServiceError 409 when that request takes longer than `inFlightWaitMs`
 */
async function submitWaiting(
  services: Pick<ActivityServices, 'pipeline'>,
  pipelineRequest: PipelineRequest,
): Promise<Outcome> {
  let waitedLong: AbortSignal | undefined;
  for (;;) {
    try {
      return await services.pipeline.submit(pipelineRequest);
    } catch (error) {
      const isInFlight = error instanceof ServiceError && error.reason === 'inFlight';
      if (!isInFlight || waitedLong?.aborted) throw error;
      waitedLong ??= AbortSignal.timeout(inFlightWaitMs);
      await new Promise((resolve) => setTimeout(resolve, inFlightPollMs));
    }
  }
}

async function acceptOne(services: AcceptServices, author: Author, accepted: Accepted): Promise<Submission> {
  const [submission] = await acceptSubmissions(services, author, [accepted]);
  if (submission === undefined || submission instanceof ServiceError) throw submission;
  return submission;
}

/** Gives an accepted activity its key as externalTxnId, so that clients find its history by the key. */
export function withKey(parsed: Omit<Accepted, 'key'>, key: RequestKey): Accepted {
  if (key.expiresAt || parsed.activity.externalTxnId !== undefined) return { ...parsed, key };
  return { ...parsed, activity: { ...parsed.activity, externalTxnId: key.key }, key };
}

/** A submission with its status, or with the present status of its activity. */
export interface AcceptedSubmission extends Pick<Submission, '_id' | 'key'> {
  status: Submission['status'] | ActivityHistory['status'];
}

/** The answer for an accepted submission. */
export function acceptedBody({ key, status, _id }: AcceptedSubmission) {
  return { externalTxnId: key, status, submission: _id };
}

function statusPath(key: string): string {
  return `/api/v1/activity/status/${encodeURIComponent(key)}`;
}

function answer(outcome: Outcome, options: PostOptions): Answer {
  return {
    status: 200,
    body: {
      result: shownResult(outcome.result, options.sections),
      member: outcome.member,
      ...(outcome.ruleMatch ? { ruleMatch: outcome.ruleMatch } : {}),
      ...(outcome.omittedRules ? { omittedRules: outcome.omittedRules } : {}),
    },
    ...(outcome.replayed ? { headers: { 'Idempotent-Replayed': 'true' } } : {}),
  };
}
