import { ObjectId } from 'bson';
import type { CancelRequest } from '#activities/state/pipelineRequest';
import { errorEntry, invalidField, malformed, notFound, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { ownKeyPrefix } from '#base/common/ownKeys';
import { collectionOf } from '#base/db/collections';
import { readableFields } from '#base/query/fields';
import { parseFilter } from '#base/query/parseFilter';
import { bounded } from '#base/query/read/read';
import { keyMax } from '#platform/http/keys/sentKey';
import type { Answer, KeyUse, Request, RequestWith } from '#platform/http/route';
import type { Activity } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { loadParseContext, parseCancellation } from './parseActivity';
import { type ActivityServices, handleActivity, namedPart } from './postActivity';
import { type PostOptions, parsePostOptions, shownResult } from './postOptions';

/** Most histories that one cancel by query may select. */
export const cancelByQueryMax = 100;

/**
 * How a cancel by query honours an Idempotency-Key. Its whole answer is stored, because a repeated query would no
 * longer select the activities that are cancelled by then. With `persist=false` nothing is stored.
 */
export function keyOfSelected({ query }: Pick<Request, 'query'>): KeyUse {
  return query.persist === 'false' ? 'byHandler' : 'repeatable';
}

/** `POST /activity/{id}/cancel`: returns an activity, whole or in part (SPEC endpoint 7). */
export async function cancelActivity(request: RequestWith<ActivityServices>): Promise<Answer> {
  const parsed = await parseCancel(request);
  const { options, activity } = parsed;
  const originalId = readId(request.params.id ?? '', 'id');
  if (activity.originalTxnId && !activity.originalTxnId.equals(originalId)) {
    throw invalidField('originalTxnId', 'reference', message('activities.otherThanInPath'));
  }
  // With an id in the path, the query is a condition: it must select that history.
  if (request.query.query !== undefined) await selectOriginals(request, { _id: originalId });
  return withLogObject(
    await handleActivity(request, options, {
      activity: { ...activity, originalTxnId: originalId },
      cancel: parsed.cancelOf(originalId),
    }),
  );
}

/** The parts of a cancel request that do not depend on its originals. */
async function parseCancel(request: Request) {
  const options = parsePostOptions(request.query);
  const { body } = request;
  const activity = await parseCancellation(body, await loadParseContext(request, options.asOf ?? request.now));
  const conditions = parseConditions(request);
  const part = namedPart(activity, body);
  const cancelOf = (originalId: ObjectId): CancelRequest => ({ originalId, ...part, ...conditions });
  return { options, activity, cancelOf };
}

function parseConditions({ query }: Request): Pick<CancelRequest, 'validate' | 'memberId'> {
  return {
    ...(query.validate === undefined
      ? {}
      : {
          validate: parseFilter(query.validate, readableFields(activityHistoryResource), {
            name: 'validate',
            isRequired: true,
          }),
        }),
    ...(query.memberId === undefined ? {} : { memberId: readId(query.memberId, 'memberId') }),
  };
}

function readId(text: string, name: string): ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text)) throw malformed(message('query.hexId', { name }));
  return new ObjectId(text);
}

/** `POST /activity/query/cancel`: returns the activities that a query selects. */
export async function cancelSelected(request: RequestWith<ActivityServices>): Promise<Answer> {
  const { options, activity, cancelOf } = await parseCancel(request);
  if (activity.originalTxnId) throw invalidField('originalTxnId', 'reference', message('activities.chosenByQuery'));
  requireSharedKeys(request, activity);
  const answers = [];
  for (const originalId of await selectOriginals(request)) {
    const parsed = {
      activity: { ...withOwnKey(activity, originalId), originalTxnId: originalId },
      cancel: cancelOf(originalId),
    };
    const own = { ...request, headers: withOwnKey(request.headers, originalId) };
    answers.push(await handleActivity(own, options, parsed).catch((error: unknown) => refusedAnswer(error, options)));
  }
  const isWaiting = answers.some(({ status }) => status === 202);
  return { status: isWaiting ? 202 : 200, body: answers.map((answer) => withLogObject(answer).body) };
}

const keyNames = ['externalTxnId', 'idempotency-key'] as const;

/**
 * Gives the cancellation of one original a key of its own: the key that was sent, and the id of the original. One key
 * is for one cancellation only.
 */
function withOwnKey<T extends Partial<Record<(typeof keyNames)[number], string>>>(keyed: T, originalId: ObjectId): T {
  const own = keyNames.flatMap((name) => (keyed[name] ? [[name, `${keyed[name]}:${originalId.toHexString()}`]] : []));
  return { ...keyed, ...Object.fromEntries(own) };
}

/** The longest key that leaves room for a colon and an id of 24 characters. */
const sharedKeyMax = keyMax - 25;

function requireSharedKeys({ headers }: Request, { externalTxnId = '' }: Activity): void {
  if (externalTxnId.length > sharedKeyMax)
    throw invalidField('externalTxnId', 'maxLength', message('activities.sharedKeyLength', { max: sharedKeyMax }));
  if ((headers['idempotency-key'] ?? '').length > sharedKeyMax)
    throw malformed(message('activities.sharedKeyHeaderLength', { max: sharedKeyMax }));
  const reserved = ownKeyPrefix.slice(0, -1);
  if (externalTxnId === reserved)
    throw invalidField('externalTxnId', 'pattern', message('activities.keyReserved', { reserved }));
  if (headers['idempotency-key'] === reserved) throw malformed(message('activities.keyHeaderReserved', { reserved }));
}

/** An error of one original becomes its own result, so that the client also sees the results of the others. */
function refusedAnswer(error: unknown, { sections }: PostOptions): Answer {
  if (!(error instanceof ServiceError)) throw error;
  const result = { log: [], errors: [errorEntry(error)], data: { activityId: null, status: 'Error' } };
  return { status: 200, body: { result: shownResult(result, sections) } };
}

async function selectOriginals({ query, services, principal }: Request, narrowed = {}): Promise<ObjectId[]> {
  const filter = parseFilter(query.query, readableFields(activityHistoryResource));
  if (Object.keys(filter).length === 0) throw malformed(message('activities.selectByField'));
  const found = await bounded(principal, 'unknown', (maxTimeMS) =>
    collectionOf(services.db, activityHistoryResource)
      .find({ $and: [{ org: principal.org, ...narrowed }, filter] }, { maxTimeMS })
      .project<{ _id: ObjectId }>({ _id: 1 })
      .sort({ _id: 1 })
      .limit(cancelByQueryMax + 1)
      .toArray(),
  );
  if (found.length === 0) throw notFound('Activity history');
  if (found.length > cancelByQueryMax) {
    throw new ServiceError('malformed', message('activities.selectsTooMany', { max: cancelByQueryMax }));
  }
  return found.map(({ _id }) => _id);
}

/** Puts the log of a cancel into an object (SPEC endpoint 7: "`log` (object)"). */
function withLogObject(answer: Answer): Answer {
  const body = answer.body as { result?: { log?: unknown[] } };
  if (!body.result?.log) return answer;
  return { ...answer, body: { ...body, result: { ...body.result, log: { entries: body.result.log } } } };
}
