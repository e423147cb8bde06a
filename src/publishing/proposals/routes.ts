import { type Static, Type } from '@sinclair/typebox';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { list, record } from '#base/schema/atoms';
import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, defineRoute, ok, type Request, type Route } from '#platform/http/route';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { readLimits } from '#publishing/rulesets/files/readFiles';
import { ruleFilesRoute } from '#publishing/rulesets/files/ruleFilesRoute';
import { approveBody, approveProposal } from './approveProposal';
import { changedSince } from './changedSince';
import { decidedAlready, decideProposal } from './decideProposal';
import { publishAnswer, publishBody, publishOrPropose } from './publishOrPropose';
import { reasonText, ruleProposalResource } from './ruleProposal';
import { scheduleAnswer, scheduleBody, scheduleOrPropose } from './scheduleOrPropose';

/** The body of a rejection. */
const rejectBody = record({ reason: { ...reasonText, minLength: 1 } });

/**
 * `POST /rules/proposals/{id}/reject`: nothing comes into force. Who made the proposal withdraws it so.
 * @throws ServiceError 1130 to an API key that did not make it; 1290 when it is decided, or is being approved
 */
async function rejectProposal(request: Request): Promise<Answer> {
  const { reason } = request.body as Static<typeof rejectBody>;
  const { principal } = request;
  const proposal = await storedRecord(ruleProposalResource, request, readPathId(request));
  if (principal.apiKey && !proposal.createdBy.equals(principal.userId)) {
    throw new ServiceError('forbidden', message('proposals.personRejects'));
  }
  if (proposal.status !== 'Pending') throw decidedAlready();
  const rejected = await decideProposal(request, proposal, { status: 'Rejected', decisionReason: reason });
  return ok(visible(ruleProposalResource, rejected));
}

const proposedFile = record({
  path: Type.String(),
  before: Type.Optional(Type.String({ description: 'The file when it was proposed; absent when there was none' })),
  text: Type.String({ description: 'The whole file as proposed' }),
});

/** The answer of `GET /rules/proposals/{id}`. */
const proposalAnswer = record({
  ...ruleProposalResource.answer.properties,
  files: list(proposedFile, 1000, { description: 'The files that it changes' }),
  isOutdated: Type.Optional(
    Type.Boolean({ description: 'While it waits: its files were changed since, so it cannot be approved' }),
  ),
});

/** `GET /rules/proposals/{id}`: a proposal with its files, before and after. */
async function readProposal(request: Request): Promise<Answer> {
  const proposal = await storedRecord(ruleProposalResource, request, readPathId(request));
  const files = proposal.files.filter(({ text, before }) => text !== before);
  const isWaiting = proposal.status === 'Pending';
  return ok({
    ...visible(ruleProposalResource, proposal),
    files,
    ...(isWaiting ? { isOutdated: (await changedSince(request.services, proposal)) !== undefined } : {}),
  });
}

const waits = 'With the setting RULES_APPROVAL, the answer is 202 with a proposal that another user approves.';

const publishRoute = defineRoute({
  method: 'POST',
  path: '/rules/publish',
  permission: 'rules:publish',
  summary: 'Publish rule files, or propose them',
  description:
    'Writes them into the folder of rules and puts them into force. They are checked first, so files with a fault change nothing. Where the service may only read its folder of rules, ' +
    `the answer is 422, kind readOnly. ${waits}`,
  body: publishBody,
  ...ruleFilesRoute,
  key: 'repeatable',
  responses: { 200: publishAnswer, 202: ruleProposalResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [412],
  handle: publishOrPropose,
});

const scheduleRoute = defineRoute({
  method: 'POST',
  path: '/rulesets/schedule',
  permission: 'cache:refresh',
  summary: 'Schedule rules for a moment, or propose it',
  description:
    'The body has `files`, all rule files of some programs, or `version`, an earlier version. They become a version now, ' +
    `which comes into force at \`from\`. GET /rulesets/current shows what is scheduled. ${waits}`,
  body: scheduleBody,
  ...ruleFilesRoute,
  key: 'repeatable',
  responses: { 200: scheduleAnswer, 202: ruleProposalResource.answer },
  answerHeaders: { 202: ['Location'] },
  errors: [404, 422],
  handle: scheduleOrPropose,
});

const readRoute = defineRoute({
  method: 'GET',
  path: '/rules/proposals/:id',
  permission: ruleProposalResource.permissions.read,
  summary: 'Read a proposal with its files, before and after',
  responses: { 200: proposalAnswer },
  handle: readProposal,
});

const approveRoute = defineRoute({
  method: 'POST',
  path: '/rules/proposals/:id/approve',
  permission: ruleProposalResource.permissions.update,
  summary: 'Approve a proposal of another user',
  description:
    'Publishes or schedules exactly what was proposed, after the same checks. Nobody approves their own (403, code 1140), ' +
    'and an API key approves nothing. 409 when it is decided already, is being approved, or is older than 30 days; 412 ' +
    'when its files were changed since.',
  body: approveBody,
  isBodyOptional: true,
  answerMaxMs: readLimits.answerMaxMs,
  key: 'repeatable',
  responses: { 200: ruleProposalResource.answer },
  errors: [409, 412],
  handle: approveProposal,
});

const rejectRoute = defineRoute({
  method: 'POST',
  path: '/rules/proposals/:id/reject',
  permission: ruleProposalResource.permissions.update,
  summary: 'Reject a proposal, or withdraw your own',
  description: 'Nothing comes into force. 409 when it is decided already, or is being approved.',
  body: rejectBody,
  key: 'repeatable',
  responses: { 200: ruleProposalResource.answer },
  errors: [409],
  handle: rejectProposal,
});

/**
 * Routes that put rules into force, or propose it where a second person has to approve. They must come before the
 * routes of rules and rule sets, because `/:id` of those would match some of them.
 */
export const proposalRoutes: Route[] = [
  publishRoute,
  scheduleRoute,
  ...readingRoutes(ruleProposalResource, { operations: ['list', 'count'], path: 'rules/proposals' }),
  readRoute,
  approveRoute,
  rejectRoute,
];
