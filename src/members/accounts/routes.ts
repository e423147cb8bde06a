import { type Static, Type } from '@sinclair/typebox';
import { anyValue, objectId, oneOf, record, signed } from '#base/schema/atoms';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, ifNoneMatch } from '#platform/http/collection/collectionRoutes';
import { etagHeader } from '#platform/http/collection/etag';
import { idOf } from '#platform/http/collection/idOf';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import { defineRoute, ok, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { visible } from '#platform/recordWrites/storedRecord';
import { accountResource } from '#records/members/account';
import { type MemberTier, tierShape } from '#records/members/memberTier';
import { accountOfMember } from './accountOfMember';
import { maxTier } from './maxTier';
import { parseUnlinkQuery } from './parseUnlinkQuery';
import { prepareAccount } from './prepareAccount';
import { totalPoints } from './totalPoints';
import { unlinkMember } from './unlinkMember';
import { writeAccountEvent } from './writeAccountEvent';

const byMemberRoute = defineRoute({
  method: 'GET',
  path: '/accounts/member/:memberid',
  permission: 'accounts:read',
  summary: 'Read the account that a member is in',
  headers: ifNoneMatch,
  responses: { 200: accountResource.answer },
  answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
  errors: [410],
  handle: async (request) => {
    const { services, principal } = request;
    const account = await accountOfMember(services.db, principal.org, idOf(request, 'memberid'));
    return ok(visible(accountResource, account), { ...etagHeader(account) });
  },
});

const points = record({ points: signed({ description: 'Negative when in debt' }) });

const totalPointsRoute = defineRoute({
  method: 'GET',
  path: '/accounts/totalpoints/:accountid/:purseid',
  permission: 'accounts:read',
  summary: 'Sum the points of an account under a purse policy',
  description: 'The available points of all its members.',
  responses: { 200: points },
  handle: async (request) => {
    const ids = { accountId: idOf(request, 'accountid'), policyId: idOf(request, 'purseid') };
    const answer: Static<typeof points> = {
      points: await totalPoints(request.services, request.principal.org, ids, request.now),
    };
    return ok(answer);
  },
});

const maxTierRoute = defineRoute({
  method: 'GET',
  path: '/accounts/maxtier/:accountid/:tierid',
  permission: 'accounts:read',
  summary: 'Read the highest tier of an account under a tier policy',
  description: '`tier` is null when no member has a tier under the policy. Tiers that are due are updated first.',
  responses: { 200: record({ tier: Type.Unsafe<MemberTier | null>({ anyOf: [tierShape, { type: 'null' }] }) }) },
  handle: async (request) => {
    const ids = { accountId: idOf(request, 'accountid'), policyId: idOf(request, 'tierid') };
    return ok({ tier: await maxTier(request.services, request.principal.org, ids, request.now) });
  },
});

const unlinkRoute = defineRoute({
  method: 'POST',
  path: '/accounts/unlink',
  permission: 'accounts:update',
  summary: 'Take a member out of its account',
  description: 'An account with one or two members is removed as a whole. A request body is ignored.',
  query: {
    query: {
      description: '`members.member` or `members.memberId` equal to one id',
      schema: anyValue({
        anyOf: [record({ 'members.member': objectId('Member') }), record({ 'members.memberId': objectId('Member') })],
      }),
      required: true,
      isJson: true,
    },
  },
  key: 'withEffect',
  responses: { 200: record({ status: oneOf(['success']) }) },
  errors: [404, 410],
  handle: async (request) => {
    const { services, principal, query, now } = request;
    const memberId = parseUnlinkQuery(query.query);
    const answered = () => ok({ status: 'success' });
    return keptAnswer(request, answered, (inCommit) => unlinkMember(services.db, principal, memberId, now, inCommit));
  },
});

const accountWrites = defineWrites(accountResource, {
  prepare: prepareAccount,
  alongChange: ({ before, after }, { services, principal, now }) => {
    const account = after ?? before;
    const change = !after ? 'removed' : before ? 'updated' : 'created';
    return account && ((session) => writeAccountEvent(services.db, session, principal, { ...account, change }, now));
  },
});

/** Multi-program memberships (SPEC endpoints 10 to 18). */
export const accountRoutes: Route[] = [
  ...collectionRoutes(accountWrites, { operations: allOperations }),
  byMemberRoute,
  totalPointsRoute,
  maxTierRoute,
  unlinkRoute,
];
