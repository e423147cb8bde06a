import { readingRoutes } from '#platform/http/collection/collectionRoutes';
import { defineRoute, type Route } from '#platform/http/route';
import { readLimits } from '#publishing/rulesets/files/readFiles';
import { approveBody, approveProposal } from './approveProposal';
import { publishAnswer, publishBody, publishOrPropose } from './publishOrPropose';
import { proposalAnswer, readProposal } from './readProposal';
import { rejectBody, rejectProposal } from './rejectProposal';
import { ruleProposalResource } from './ruleProposal';
import { scheduleAnswer, scheduleBody, scheduleOrPropose } from './scheduleOrPropose';

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
  bodyMaxBytes: readLimits.totalMaxBytes,
  answerMaxMs: readLimits.answerMaxMs,
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
  bodyMaxBytes: readLimits.totalMaxBytes,
  answerMaxMs: readLimits.answerMaxMs,
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
 * Routes that put rules into force, or propose it where a second person has to approve. They must come before those of
 * rules and rule sets, whose `/:id` would match some of them.
 */
export const proposalRoutes: Route[] = [
  publishRoute,
  scheduleRoute,
  ...readingRoutes(ruleProposalResource, { operations: ['list', 'count'], path: 'rules/proposals' }),
  readRoute,
  approveRoute,
  rejectRoute,
];
