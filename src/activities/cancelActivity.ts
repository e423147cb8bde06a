import { ObjectId } from 'bson';
import { collectionOf } from '../db/resource';
import { malformed, notFound, ServiceError } from '../errors';
import type { Answer, Request } from '../http/route';
import { fieldsOf } from '../query/fields';
import { parseFilter } from '../query/parseFilter';
import { compileParse } from '../schema/parse';
import type { Activity, PostedActivity } from './activity';
import { activityHistoryResource } from './activityHistory';
import { cancelBody } from './cancelBody';
import { withDefaults } from './parseActivity';
import { carryOut, returnedValue } from './postActivity';
import { type PostOptions, parsePostOptions } from './postOptions';
import type { CancelRequest } from './work';

/** Histories that one cancel by query may select at most. */
export const cancelByQueryMax = 100;

/** The id that stands for "those that `query` selects". */
const byQuery = 'query';

const parseBody = compileParse(cancelBody);

/** `POST /activity/{id}/cancel`: gives back what an activity did, whole or in part (SPEC endpoint 7, DESIGN 7). */
export async function cancelActivity(request: Request): Promise<Answer> {
  const options = parsePostOptions(request.query);
  const activity = cancellation(request);
  const conditions = parseConditions(request);
  const value = returnedValue(activity, request.rawBody);
  const cancelOf = (targetId: ObjectId): CancelRequest => ({
    targetId,
    ...(value === undefined ? {} : { value }),
    ...conditions,
  });
  if (request.params.id === byQuery) return cancelSelected(request, options, activity, cancelOf);
  const targetId = readId(request.params.id ?? '', 'id');
  return withEntries(
    await carryOut(request, options, {
      activity: { ...activity, originalTxnId: targetId },
      cancel: cancelOf(targetId),
    }),
  );
}

function cancellation({ rawBody, now }: Request): Activity {
  const sent = rawBody === undefined ? {} : rawBody;
  const offset = (sent as { utcOffset?: unknown } | null)?.utcOffset;
  const posted = parseBody(sent, { localOffsetMinutes: typeof offset === 'number' ? offset : 0 });
  return withDefaults({ ...(posted as Omit<PostedActivity, 'type'>), type: 'Cancellation' }, now);
}

function parseConditions({ query }: Request): Pick<CancelRequest, 'validate' | 'memberId'> {
  return {
    ...(query.validate === undefined
      ? {}
      : { validate: parseFilter(query.validate, fieldsOf(activityHistoryResource)) }),
    ...(query.memberId === undefined ? {} : { memberId: readId(query.memberId, 'memberId') }),
  };
}

function readId(text: string, name: string): ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text)) throw malformed(`${name} must be 24 hexadecimal characters`);
  return new ObjectId(text);
}

async function cancelSelected(
  request: Request,
  options: PostOptions,
  activity: Activity,
  cancelOf: (targetId: ObjectId) => CancelRequest,
): Promise<Answer> {
  const targets = await selectTargets(request);
  const answers = [];
  for (const targetId of targets) {
    const externalTxnId = activity.externalTxnId && `${activity.externalTxnId}:${targetId.toHexString()}`;
    const each = { ...activity, originalTxnId: targetId, ...(externalTxnId ? { externalTxnId } : {}) };
    answers.push(withEntries(await carryOut(request, options, { activity: each, cancel: cancelOf(targetId) })));
  }
  return { status: options.isAsync ? 202 : 200, body: answers.map(({ body }) => body) };
}

async function selectTargets({ query, services, principal }: Request): Promise<ObjectId[]> {
  if (query.query === undefined) throw malformed('query is required when the id is the word query');
  const filter = parseFilter(query.query, fieldsOf(activityHistoryResource));
  if (Object.keys(filter).length === 0) throw malformed('query must select by at least one field');
  const found = await collectionOf(services.db, activityHistoryResource)
    .find({ $and: [{ org: principal.org }, filter] }, { maxTimeMS: 800 })
    .project<{ _id: ObjectId }>({ _id: 1 })
    .sort({ _id: 1 })
    .limit(cancelByQueryMax + 1)
    .toArray();
  if (found.length === 0) throw notFound('Activity history');
  if (found.length > cancelByQueryMax) {
    throw new ServiceError('malformed', `query selects more than ${cancelByQueryMax} activity histories; narrow it`);
  }
  return found.map(({ _id }) => _id);
}

/** A cancel answers its log as an object (SPEC endpoint 7: "`log` (object)"). */
function withEntries(answer: Answer): Answer {
  const body = answer.body as { result?: { log?: unknown[] } };
  if (!body.result?.log) return answer;
  return { ...answer, body: { ...body, result: { ...body.result, log: { entries: body.result.log } } } };
}
