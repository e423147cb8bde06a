import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { dateArgument } from '#base/query/dateArgument';
import { readableFields } from '#base/query/fields';
import { nextPage, parsePage } from '#base/query/page';
import { queryLimits } from '#base/query/queryLimits';
import { anyValue, byName, count, instant, list, objectId, record } from '#base/schema/atoms';
import { ledgerPurses, shownPurse } from '#engine/points/ledger/purses';
import { readStatement, statementSort } from '#members/accrualItems/readStatement';
import { settledMember } from '#members/memberState/settledMember';
import { requestAuditor } from '#platform/audit/auditor';
import { bulkLimits } from '#platform/http/collection/bulkPost';
import { afterArgument } from '#platform/http/collection/collectionArguments';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { etagHeader } from '#platform/http/collection/etag';
import { readPathId } from '#platform/http/collection/readPathId';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import { apiPrefix, defineRoute, ok, type Route } from '#platform/http/route';
import { visible } from '#platform/recordWrites/storedRecord';
import { shownError } from '#records/activities/shownResult';
import { type Member, memberResource } from '#records/members/member';
import { journalResource } from '#records/points/journal';
import { shownPurseShape } from '#records/points/purse';
import { exportMember } from './export/exportMember';
import { memberWrites } from './memberWrites';
import { mergeMax, mergeMembers } from './mergeMembers';
import { postMembers } from './postMembers';
import { catalogFor, type MembersRequest, presentMembers } from './presentMembers';

/** SPEC names the member routes without the prefix of the other routes, so these routes answer with and without it. */
const prefixes = [apiPrefix, ''];

const pursesRoute = defineRoute({
  method: 'GET',
  path: '/members/:id/purses',
  prefixes,
  permission: 'members:read',
  summary: 'Read the purses of a member',
  description: 'Due points are released or expired first.',
  responses: { 200: list(shownPurseShape) },
  errors: [410],
  handle: async (request: MembersRequest) => {
    const { services, principal, now } = request;
    const member = await settledMember(services, principal.org, readPathId(request), now);
    const catalog = await catalogFor(request);
    return ok(
      ledgerPurses(member, catalog.policiesOf(member.program), ({ createdAt }) => createdAt).map((purse) =>
        shownPurse(purse),
      ),
    );
  },
});

const statementRoute = defineRoute({
  method: 'GET',
  path: '/members/:id/statement',
  prefixes,
  permission: 'members:read',
  summary: 'Read the statement of a member',
  description:
    'The journal with the balance after each entry, sorted by purse, then by time. A full page has a Link to the next ' +
    'one. Due points are released or expired first. Of old points that are in the archive there is one entry `opening` ' +
    'for each purse; with a period, the answer is whole, or 410 with code 1521.',
  query: {
    purse: { description: 'Only the purse of this purse policy', schema: objectId('PursePolicy') },
    from: { description: 'Only entries that took effect at this moment or later', schema: instant() },
    to: { description: 'Only entries that took effect before this moment', schema: instant() },
    skip: {
      description: 'Number of entries to skip',
      schema: Type.Integer({ minimum: 0, maximum: queryLimits.skipMax, default: 0 }),
    },
    after: afterArgument,
    limit: {
      description: 'Most entries in the answer',
      schema: Type.Integer({ minimum: 1, maximum: queryLimits.limitMax, default: queryLimits.limitDefault }),
    },
  },
  responses: { 200: list(journalResource.answer) },
  answerHeaders: { 200: ['Link'] },
  errors: [410],
  handle: async (request) => {
    const { services, principal, query, now } = request;
    const { purse, from, to, ...pageQuery } = query;
    const only = {
      ...(purse === undefined ? {} : { purse: parsePurse(purse) }),
      ...(from === undefined ? {} : { from: dateArgument('from', from) }),
      ...(to === undefined ? {} : { to: dateArgument('to', to) }),
    };
    const member = await settledMember(services, principal.org, readPathId(request), now);
    const listing = {
      sort: statementSort(member),
      fields: readableFields(journalResource),
      limitDefault: queryLimits.limitDefault,
    };
    const page = parsePage(pageQuery, listing);
    const { found, last } = await readStatement(services.db, principal.org, member, { ...only, ...page });
    const next = nextPage(query, { ...page, ...listing }, { found: found.length, last });
    const path = `${apiPrefix}/members/${member._id.toHexString()}/statement`;
    return ok(found, next === undefined ? {} : { Link: `<${path}?${next}>; rel="next"` });
  },
});

function parsePurse(text: string): ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text)) throw malformed(message('members.purseHexId'));
  return new ObjectId(text);
}

const bulkRoute = defineRoute({
  method: 'POST',
  path: '/members/bulk',
  prefixes,
  permission: memberResource.permissions.create,
  summary: 'Create many members',
  description: 'At most 1,000. The answer has an entry for each; one that is refused does not fail the others.',
  bodyMaxBytes: bulkLimits.maxBytes,
  body: Type.Array(anyValue({ description: 'As for POST /members' }), {
    minItems: 1,
    maxItems: bulkLimits.rowsMax,
    examples: [[{ program: '6650a1b2c3d4e5f6a7b8c9d0', loyaltyID: 'TEA-1', firstName: 'Mei' }]],
  }),
  // A row that cannot be read must not fail the others.
  parsesBody: true,
  key: 'repeatable',
  responses: {
    200: list(
      record({
        index: count(),
        _id: Type.Optional(objectId()),
        loyaltyID: Type.Optional(Type.String()),
        error: Type.Optional(shownError),
      }),
    ),
  },
  handle: postMembers,
});

const memberExport = record({
  member: objectId('Member'),
  exportedAt: instant(),
  records: byName(Type.Array(anyValue()), 60, { description: 'Lists of records by the name of their collection' }),
});

const mergeBody = record({
  memberIds: Type.Array(objectId(), {
    minItems: 1,
    maxItems: mergeMax,
    description: 'Members to merge into this one, each once',
    'x-document': { uniqueItems: true },
  }),
});

const mergeRoute = defineRoute({
  method: 'POST',
  path: '/members/:id/merge',
  prefixes,
  permission: 'member:merge',
  summary: 'Merge other members of the program into this one',
  description:
    'Answers the survivor. Points, debt, limits, the best tier, loyalty ids, segments, referrals and accounts move at ' +
    'once, and fields that the survivor does not have are filled. ' +
    'Histories, spent accrual items, issued rewards and aggregates follow within a minute. Merged members answer 410 from then on. ' +
    'Members merged into this one before are skipped, so a merge whose answer was lost can be sent again.',
  body: mergeBody,
  key: 'withEffect',
  responses: { 200: memberResource.answer },
  answerHeaders: { 200: ['ETag'] },
  errors: [410],
  handle: async (request: MembersRequest) => {
    const { services } = request;
    const { memberIds } = request.body as Static<typeof mergeBody>;
    const answered = async (member: Member) => {
      const [answer] = await presentMembers([visible(memberResource, member)], request);
      return ok(answer, { ...etagHeader(member) });
    };
    const merging = { survivorId: readPathId(request), memberIds };
    return keptAnswer(request, answered, (inCommit) =>
      mergeMembers(services, requestAuditor(request), merging, inCommit),
    );
  },
});

const exportRoute = defineRoute({
  method: 'GET',
  path: '/members/:id/export',
  prefixes,
  permission: 'member:export',
  summary: 'Download all that is stored about a member',
  description:
    'One JSON document `{member, exportedAt, records}`: `records` has a list for each collection with records about the ' +
    'member or those merged into it. When the service cannot go on, it cuts the connection.',
  responses: { 200: memberExport },
  answerHeaders: { 200: ['Content-Disposition'] },
  errors: [410],
  handle: async (request) => {
    const { services, principal } = request;
    const id = readPathId(request);
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="member-${id}.json"`,
    };
    return ok(await exportMember(services, principal.org, id), headers);
  },
});

/** Routes of members: read, create, change, merge and erase (SPEC endpoints 23 to 27), purses and statement. */
export const memberRoutes: Route[] = [
  // The member may be erased before its creation is repeated.
  ...collectionRoutes(memberWrites, { operations: allOperations, prefixes, errors: { create: [410] } }),
  bulkRoute,
  pursesRoute,
  statementRoute,
  mergeRoute,
  exportRoute,
];
