import { ObjectId } from 'bson';
import { type Accepted, type AcceptServices, acceptSubmissions } from '#activities/inbox/acceptSubmissions';
import type { Pipeline } from '#activities/pipeline/pipeline';
import { type BatchServices, tryActivity } from '#activities/pipeline/processBatch';
import type { CancelRequest, Outcome, PipelineRequest, RequestKey } from '#activities/state/pipelineRequest';
import { ServiceError } from '#base/common/errors';
import { isPlainObject } from '#base/common/plainObject';
import type { Author } from '#base/db/records';
import { pickOrigin } from '#base/tracing/origin';
import { requirePermission } from '#platform/auth/authenticate';
import { keyKeptUntil } from '#platform/http/keys/sentKey';
import { whileInFlight } from '#platform/http/keys/whileInFlight';
import type { Answer, RequestWith } from '#platform/http/route';
import type { Activity } from '#records/activities/activity';
import type { ActivityHistory } from '#records/activities/activityHistory';
import type { Submission } from '#records/activities/submission';
import { loadParseContext, parseActivity } from './parseActivity';
import { type PostOptions, parsePostOptions, requestKey, requestKeyOrNew, shownResult } from './postOptions';
import { requireKnownReferences } from './unknownReferences';

/** The services that processing and accepting activities need. */
export type ActivityServices = Omit<BatchServices, 'openTurn'> & AcceptServices & { pipeline: Pipeline };

/** `POST /activity`: processes an activity now, or accepts it with `async=true` (SPEC endpoint 6). */
export async function postActivity(request: RequestWith<ActivityServices>): Promise<Answer> {
  const options = parsePostOptions(request.query);
  const now = options.asOf ?? request.now;
  const activity = await parseActivity(request.body, await loadParseContext(request, now));
  const cancel = readCancelRequest(activity, request.body);
  if (cancel) requirePermission(request.principal, 'activity:cancel');
  return handleActivity(request, options, { activity, ...(cancel ? { cancel } : {}) });
}

/** Reads a posted Cancellation as a cancel. Undefined for any other activity. */
export function readCancelRequest(activity: Activity, sent: unknown): CancelRequest | undefined {
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

/** An activity or cancellation after reading its request, with the request for the pipeline. */
interface Posted {
  services: ActivityServices;
  options: PostOptions;
  parsed: Pick<Accepted, 'activity' | 'cancel'>;
  /** The parts of the request that decide its idempotency key. */
  keyed: Parameters<typeof requestKey>[0];
  request: PipelineRequest;
}

/** Accepts (`async`), evaluates (`persist=false`) or processes an activity or cancellation, and answers it. */
export async function handleActivity(
  request: RequestWith<ActivityServices>,
  options: PostOptions,
  parsed: Pick<Accepted, 'activity' | 'cancel'>,
): Promise<Answer> {
  const { services, principal, now } = request;
  const posted = readPost(request, options, parsed);
  // Processing checks every reference except `originalTxnId` of an activity that is no Cancellation.
  if (options.isAsync || parsed.activity.originalTxnId) {
    await requireKnownReferences(services.db, principal.org, parsed.activity);
  }
  if (options.isAsync) return accept(posted);
  return options.persist ? processNow(posted) : evaluate(posted, options.asOf ?? now);
}

function readPost(
  request: RequestWith<ActivityServices>,
  options: PostOptions,
  parsed: Pick<Accepted, 'activity' | 'cancel'>,
): Posted {
  const { services, principal, headers, rawBody, endsAt } = request;
  const { externalTxnId } = parsed.activity;
  const keptUntil = keyKeptUntil(request.machineClock.now(), services.config);
  const pipelineRequest = {
    author: { org: principal.org, userId: principal.userId },
    versions: principal.versions,
    historyId: new ObjectId(),
    origin: pickOrigin(request),
    ...parsed,
    explain: options.explain,
    language: options.language,
    endsAt,
  };
  const keyed = { route: routeName(parsed), body: rawBody, externalTxnId, headers, keptUntil };
  return { services, options, parsed, keyed, request: pipelineRequest };
}

/** `async=true`: stores the submission. A worker processes it. */
async function accept(posted: Posted): Promise<Answer> {
  const { services, parsed, keyed, request } = posted;
  const accepted = withKey({ ...parsed, ...(request.origin && { origin: request.origin }) }, requestKeyOrNew(keyed));
  const submission = await acceptOne(services, request.author, accepted);
  if (submission.status !== 'Queued') return answerFinished(posted, accepted.key);
  return { status: 202, body: acceptedBody(submission), headers: { Location: statusPath(submission.key) } };
}

/** `async=true` with the key of a request that is finished: its result can be answered now. */
async function answerFinished({ services, options, request }: Posted, key: RequestKey): Promise<Answer> {
  return answer(await submitWaiting(services, { ...request, key }), options);
}

/** `persist=false`: evaluates, and writes nothing. */
async function evaluate({ services, options, request }: Posted, now: Date): Promise<Answer> {
  return answer(await tryActivity(services, request, now), options);
}

/** Processes now, and answers when the result is durable. */
async function processNow({ services, options, keyed, request }: Posted): Promise<Answer> {
  const key = requestKey(keyed);
  return answer(await submitWaiting(services, key ? { key, ...request } : request), options);
}

/** The route that the hash of a request covers. */
export function routeName({ cancel }: Pick<Accepted, 'cancel'>): string {
  return cancel ? `cancel ${cancel.originalId.toHexString()}` : 'activity';
}

/** Submits, and waits for the first request with the same key while it is in flight. @throws ServiceError 1270 */
function submitWaiting({ pipeline }: Pick<ActivityServices, 'pipeline'>, request: PipelineRequest): Promise<Outcome> {
  return whileInFlight(() => pipeline.submit(request));
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
