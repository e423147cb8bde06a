import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import { malformed, notFound, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { parseJsonArgument } from '#base/query/parseJsonArgument';
import { anyValue, objectId, oneOf, record, signed } from '#base/schema/atoms';
import { settledMember } from '#members/memberState/settledMember';
import { allOperations } from '#platform/http/collection/collectionOptions';
import { collectionRoutes, ifNoneMatch } from '#platform/http/collection/collectionRoutes';
import { etagHeader } from '#platform/http/collection/etag';
import { readPathId } from '#platform/http/collection/readPathId';
import { keptAnswer } from '#platform/http/keys/keptAnswer';
import { defineRoute, ok, type Route } from '#platform/http/route';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { visible } from '#platform/recordWrites/storedRecord';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { type Account, accountResource } from '#records/members/account';
import { type MemberTier, tierShape } from '#records/members/memberTier';
import { pursePolicyResource } from '#records/programs/pursePolicy';
import { accountFaults } from './accountFaults';
import { accountOfMember } from './accountOfMember';
import { maxTier } from './maxTier';
import { unlinkMember } from './unlinkMember';
import { writeAccountEvent } from './writeAccountEvent';

/**
 * The two accepted names of the same field: its name in the account, and its name in the examples of SPEC "16 Unlink".
 */
const names = ['members.member', 'members.memberId'];

/**
 * Reads the id of the member that `POST /accounts/unlink` takes out of its account.
 * @throws ServiceError 1210 unless the query compares one of {@link names} with one id, and nothing else
 */
function parseUnlinkQuery(text: string | undefined): ObjectId {
  if (text === undefined) throw malformed(message('accounts.queryNeeded'));
  const [condition, ...others] = Object.entries(parseJsonArgument('query', text));
  if (!condition || others.length > 0 || !names.includes(condition[0])) {
    throw malformed(message('accounts.queryNames', { names: names.join(', ') }));
  }
  const [name, id] = condition;
  if (typeof id !== 'string' || !/^[0-9a-f]{24}$/i.test(id)) throw malformed(message('accounts.oneId', { name }));
  return new ObjectId(id);
}

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
    const account = await accountOfMember(services.db, principal.org, readPathId(request, 'memberid'));
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
    const ids = { accountId: readPathId(request, 'accountid'), policyId: readPathId(request, 'purseid') };
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
    const ids = { accountId: readPathId(request, 'accountid'), policyId: readPathId(request, 'tierid') };
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
  companionOnChange: ({ before, after }, { services, principal, now }) => {
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

/**
 * Checks the references of an account and returns the fields to store. The whole account is checked: a change of
 * `members` that removes the active member must name another one. In a new account the first member is active unless
 * the body names another.
 * @throws ServiceError 1200 naming every field in error
 */
async function prepareAccount(
  body: Partial<Account>,
  { services, principal }: OrgContext,
  previous?: Account,
): Promise<Partial<Account>> {
  const { members = [], activeMember = members[0]?.member } = { ...previous, ...body };
  const account = { members, ...(activeMember ? { activeMember } : {}) };
  const faults = await accountFaults(services.db, principal.org, account);
  if (faults.length > 0) throw validationError(faults);
  return { ...body, ...account };
}

/**
 * Sums the available points of the members of an account under a purse policy. The members are settled first. The sum
 * is negative when the members are in debt.
 * @throws ServiceError 1500 when the account or the policy is unknown
 */
async function totalPoints(
  services: Infrastructure,
  org: ObjectId,
  { accountId, policyId }: { accountId: ObjectId; policyId: ObjectId },
  now: Date,
): Promise<number> {
  const account = await collectionOf(services.db, accountResource).findOne({ org, _id: accountId });
  if (!account) throw notFound('Account');
  const policy = await collectionOf(services.db, pursePolicyResource).findOne({ org, _id: policyId });
  if (!policy) throw notFound('Purse policy');
  const inProgram = account.members.filter(({ program }) => program.equals(policy.program));
  const members = await Promise.all(inProgram.map(({ member }) => settledMember(services, org, member, now)));
  return members
    .flatMap(({ purses }) => purses.filter((purse) => purse.policyId.equals(policyId)))
    .reduce((sum, { availBalance }) => sum + availBalance, 0);
}
