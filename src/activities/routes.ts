import { Type } from '@sinclair/typebox';
import { collectionRoutes } from '../http/collection';
import { defineRoute, type Route } from '../http/route';
import { anyValue, freeObject, integerMax, list, objectId, oneOf, record } from '../schema/atoms';
import { activityBody } from './activity';
import { activityHistoryResource, resultShape } from './activityHistory';
import { activityStatus } from './activityStatus';
import { cancelActivity } from './cancelActivity';
import { cancelBody } from './cancelBody';
import { postActivity } from './postActivity';
import { bulkMax, postBulk } from './postBulk';

const bulkMaxBytes = 16 * 1_048_576;

const flag = (description: string) => ({ description, schema: Type.Boolean() });

const postArguments = {
  filter: { description: 'Sections of the result: all, or some of log, errors, data', schema: Type.String() },
  persist: flag('false: evaluate and answer, write nothing'),
  async: flag('true: accept now (202), process later'),
  explain: flag('true: also answer every rule of the type with its reason'),
  asOf: { description: 'With persist=false: the moment that counts as now', schema: Type.String() },
};

const answered = record({
  result: Type.Partial(resultShape),
  member: Type.Optional(freeObject()),
  ruleMatch: Type.Optional(list(freeObject(), integerMax)),
});

const acceptedShape = record({
  externalTxnId: Type.String(),
  status: Type.String(),
  submission: objectId(),
});

const cancelled = record({
  result: record({
    log: Type.Optional(record({ entries: list(freeObject(), integerMax) })),
    errors: Type.Optional(resultShape.properties.errors),
    data: Type.Optional(freeObject()),
  }),
  member: Type.Optional(freeObject()),
  ruleMatch: Type.Optional(list(freeObject(), integerMax)),
});

/** Posting, cancelling and following activities, and reading their histories (SPEC endpoints 6 to 9). */
export const activityRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/activity',
    permission: 'activity:post',
    summary: 'Process an activity',
    description: 'Answers when the result is durable; with async=true as soon as the submission is.',
    body: activityBody,
    parsesBody: true,
    query: postArguments,
    responses: { 200: answered, 202: acceptedShape },
    handle: postActivity,
  }),
  defineRoute({
    method: 'GET',
    path: '/activity/status/:externalTxnId',
    permission: 'activityhistories:read',
    summary: 'Follow a submission',
    responses: {
      200: record({
        externalTxnId: Type.String(),
        status: oneOf(['Queued', 'Processing', 'Processed', 'Error', 'Cancelled']),
        activityId: Type.Optional(objectId('ActivityHistory')),
        result: Type.Optional(resultShape),
      }),
    },
    handle: activityStatus,
  }),
  defineRoute({
    method: 'POST',
    path: '/activity/:id/cancel',
    permission: 'activity:cancel',
    summary: 'Cancel an activity, whole or in part',
    description: 'The literal id `query` cancels the histories that the argument query selects, at most 100.',
    body: cancelBody,
    isBodyOptional: true,
    parsesBody: true,
    query: {
      ...postArguments,
      query: { description: 'Selects histories; with the id `query` only', schema: Type.String() },
      validate: { description: 'A filter the target must match, else error 2320', schema: Type.String() },
      memberId: { description: 'The member that must own the target, else 404', schema: objectId('Member') },
    },
    responses: { 200: anyValue({ anyOf: [cancelled, { type: 'array', items: cancelled }] }), 202: anyValue() },
    handle: cancelActivity,
  }),
  defineRoute({
    method: 'POST',
    path: '/activities/bulk',
    permission: 'activity:post',
    summary: 'Accept many activities',
    bodyMaxBytes: bulkMaxBytes,
    body: Type.Array(freeObject(), { minItems: 1, maxItems: bulkMax }),
    parsesBody: true,
    query: { async: { ...flag('must be true: bulk posts are asynchronous'), required: true } },
    responses: { 202: Type.Array(record({ index: Type.Integer() }, { additionalProperties: true })) },
    handle: postBulk,
  }),
  ...collectionRoutes(activityHistoryResource, { operations: ['list', 'count', 'read'] }),
];
