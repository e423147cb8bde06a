import { Type } from '@sinclair/typebox';
import { type ExplainSources, explainHistory, explanationShape } from '#activities/explain/explainHistory';
import { anyValue, count, instant, integerMax, list, named, objectId, oneOf, record, text } from '#base/schema/atoms';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { filterArgument } from '#platform/http/collection/filterArgument';
import { readPathId } from '#platform/http/collection/readPathId';
import { keyMax } from '#platform/http/keys/sentKey';
import { languageArgument, readLanguage } from '#platform/http/languageArgument';
import { defineRoute, ok, type Route } from '#platform/http/route';
import { activityBody, exampleActivity } from '#records/activities/activity';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { cancelBody } from '#records/activities/cancelBody';
import { refusedActivityResource } from '#records/activities/refusedActivity';
import {
  activityMember,
  cancelResult,
  explainedMatch,
  filteredResult,
  shownError,
  shownResult,
} from '#records/activities/shownResult';
import { archivedAnswer } from '#records/archives/findArchived';
import { activityStatus } from './activityStatus';
import { cancelActivity, cancelSelected, keyOfSelected } from './cancelActivity';
import { postActivity } from './postActivity';
import { bulkMax, postBulk } from './postBulk';

const bulkMaxBytes = 16 * 1_048_576;

const flag = (description: string) => ({ description, schema: Type.Boolean() });

const postArguments = {
  filter: {
    description: 'Sections of the result to answer: all, or some of log, errors, data',
    schema: Type.String({ pattern: '^(all|(log|errors|data)(,(log|errors|data))*)$', examples: ['all'] }),
  },
  persist: flag('false: evaluate and answer, but write nothing'),
  async: flag('true: accept now (202), process later'),
  explain: flag('true: also list the rules for this activity type, with the reason why each fired or not'),
  all: flag('With explain=true: list every rule, however long the answer'),
  ...languageArgument,
  asOf: { description: 'With persist=false: the moment that counts as now', schema: instant() },
};

const everyRule = list(explainedMatch, integerMax, {
  description: 'With explain=true: the rules for its type, at most 100 kB of them',
});

const answered = named(
  'ActivityAnswer',
  record({
    result: filteredResult,
    member: Type.Optional(activityMember),
    ruleMatch: Type.Optional(everyRule),
    omittedRules: Type.Optional(count({ description: 'Rules that ruleMatch leaves out; all=true shows them' })),
  }),
);

const acceptedShape = named(
  'AcceptedActivity',
  record({
    externalTxnId: Type.String(),
    status: Type.String(),
    submission: objectId(),
  }),
);

/** One entry in the answer of a bulk post: the submission of the activity at this index, or its error. */
const bulkEntry = record({
  index: Type.Integer({ minimum: 0 }),
  ...Type.Partial(acceptedShape).properties,
  error: Type.Optional(shownError),
});

const cancelled = named(
  'CancelAnswer',
  record({
    result: cancelResult,
    member: Type.Optional(activityMember),
    ruleMatch: Type.Optional(everyRule),
    omittedRules: Type.Optional(count({ description: 'Rules that ruleMatch leaves out; all=true shows them' })),
  }),
);

const cancelArguments = {
  ...postArguments,
  validate: filterArgument('The original must match it, else error 2320'),
  memberId: { description: 'The member that must own the original, else 404', schema: objectId('Member') },
};

/** What both routes of cancellations have. */
const cancelling = {
  method: 'POST',
  tag: 'Activities',
  permission: 'activity:cancel',
  body: cancelBody,
  isBodyOptional: true,
  parsesBody: true,
  errors: [409, 410],
} as const;

/** Routes to post and cancel activities, follow submissions, and read histories (SPEC endpoints 6 to 9). */
export const activityRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/activity',
    tag: 'Activities',
    permission: 'activity:post',
    summary: 'Post an activity',
    description: 'Answers when the result is durable; with async=true, when the submission is durable.',
    body: activityBody,
    parsesBody: true,
    query: postArguments,
    key: 'byHandler',
    responses: { 200: answered, 202: acceptedShape },
    answerHeaders: { 202: ['Location'] },
    errors: [404, 409, 410],
    handle: postActivity,
  }),
  defineRoute({
    method: 'GET',
    path: '/activity/status/:externalTxnId',
    tag: 'Activities',
    permission: 'activityhistories:read',
    summary: 'Follow a submission that waits for a worker',
    params: { externalTxnId: text(keyMax) },
    responses: {
      200: record({
        externalTxnId: Type.String(),
        status: oneOf(['Queued', 'Processing', 'Processed', 'Error', 'Cancelled']),
        activityId: Type.Optional(objectId('ActivityHistory')),
        result: Type.Optional(shownResult),
      }),
    },
    errors: [410],
    handle: activityStatus,
  }),
  defineRoute({
    ...cancelling,
    path: '/activity/:id/cancel',
    summary: 'Cancel an activity, whole or in part',
    key: 'byHandler',
    query: { ...cancelArguments, query: filterArgument('The original must match it, else 404') },
    responses: { 200: cancelled, 202: acceptedShape },
    answerHeaders: { 202: ['Location'] },
    handle: cancelActivity,
  }),
  defineRoute({
    ...cancelling,
    path: '/activity/query/cancel',
    summary: 'Cancel the activities that a query selects',
    description: 'At most 100. The answer has an entry for each; with async=true, errors are in it at once.',
    key: keyOfSelected,
    query: { ...cancelArguments, query: filterArgument('Selects the activities', { required: true }) },
    responses: { 200: list(cancelled), 202: list(anyValue({ anyOf: [acceptedShape, cancelled] })) },
    errors: [...cancelling.errors, 404],
    handle: cancelSelected,
  }),
  defineRoute({
    method: 'POST',
    path: '/activities/bulk',
    tag: 'Activities',
    permission: 'activity:post',
    summary: 'Post many activities at once',
    bodyMaxBytes: bulkMaxBytes,
    body: Type.Array(anyValue({ description: 'As for POST /activity; the answer has an error for each invalid one' }), {
      minItems: 1,
      maxItems: bulkMax,
      examples: [[exampleActivity]],
    }),
    parsesBody: true,
    query: { async: { description: 'Bulk posts are always asynchronous', schema: oneOf(['true']), required: true } },
    key: 'repeatable',
    responses: { 202: list(bulkEntry) },
    handle: postBulk,
  }),
  defineRoute({
    method: 'GET',
    path: '/activityhistories/:id/explain',
    permission: 'activityhistories:read',
    summary: 'Explain why each rule fired or did not',
    description: 'Uses the rule set that evaluated the activity and the fact values stored with it.',
    query: {
      all: flag('true: show every rule, however long the answer; else at most 100 kB of those nearest to firing'),
      ...languageArgument,
    },
    responses: { 200: explanationShape },
    errors: [410],
    handle: async (request) => {
      const { services, principal, query } = request;
      const ruleSet: ExplainSources['ruleSet'] = (org, version) => services.ruleSets.current(org, version);
      const shown = { showsAll: query.all === 'true', language: readLanguage(query) };
      return ok(await explainHistory({ db: services.db, ruleSet }, principal.org, readPathId(request), shown));
    },
  }),
  ...readingRoutes(activityHistoryResource, {
    operations: ['list', 'count', 'read'],
    errors: { read: [410] },
    missing: ({ services, principal }, id) => archivedAnswer(services.db, principal.org, id),
  }),
  ...readingRoutes(refusedActivityResource, { operations: ['list', 'count', 'read'] }),
];
