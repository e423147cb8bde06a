import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { withRetries } from '#base/db/transaction';
import { record } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { refuseGrant, requireOwnPermissions } from '#platform/auth/requireOwnPermissions';
import { apiKeyUsername } from '#platform/auth/reservedUsernames';
import { collectionRoutes } from '#platform/http/collection/collectionRoutes';
import { etagHeader } from '#platform/http/collection/etag';
import { readPathId } from '#platform/http/collection/readPathId';
import { type Answer, defineRoute, type Route } from '#platform/http/route';
import { defineWrites } from '#platform/recordWrites/recordWrites';
import { storedRecord, visible } from '#platform/recordWrites/storedRecord';
import { uniqueFault } from '#platform/recordWrites/uniqueFault';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import { type ApiKey, apiKeyResource } from '#records/users/apiKey';
import { permissionsOfKey } from '#records/users/permissions';
import { userResource } from '#records/users/user';
import { refuseOutlasting, requireGrants, requireValidGrants } from './requireValidGrants';
import { type ApiKeyFields, createApiKey, deleteApiKey, type NewApiKey, rotateApiKey } from './storeApiKey';

/** 30 days: long enough to change the key in many servers, one after the other. */
const overlapMaxSeconds = 30 * 86_400;

const shownOnce = record({
  ...apiKeyResource.answer.properties,
  key: Type.String({ description: 'The key, to be sent as `Authorization: Bearer <key>`; shown only now' }),
});

const onceNote =
  'The answer has the key, which is stored as a hash only: it is never shown again. An Idempotency-Key is refused, since ' +
  'the answer is not stored.';

const createRoute = defineRoute({
  method: 'POST',
  path: '/apikeys',
  permission: apiKeyResource.permissions.create,
  summary: 'Create a new api key',
  description: `Name permissions, roles or both; nobody grants what they do not have. ${onceNote}`,
  body: apiKeyResource.createBody,
  key: 'refused',
  responses: { 201: shownOnce },
  answerHeaders: { 201: ['ETag', 'Location'] },
  async handle(request) {
    const { principal, services } = request;
    const now = request.machineClock.now();
    const fields = request.body as ApiKeyFields;
    requireValidGrants(fields, request);
    requireGrants(fields);
    refuseOutlasting(request, fields);
    refuseGrant(principal, permissionsOfKey(fields, services.resources));
    try {
      return shown(201, await createApiKey({ db: services.db, author: requestAuditor(request), now }, fields));
    } catch (error) {
      throw uniqueFault(error, fields);
    }
  },
});

const rotateRoute = defineRoute({
  method: 'POST',
  path: '/apikeys/:id/rotate',
  permission: apiKeyResource.permissions.update,
  summary: 'Give an api key a new text',
  description: `The key stays the same record with the same rights. Its texts until now end after \`overlapSeconds\`. ${onceNote}`,
  body: record({
    overlapSeconds: Type.Integer({
      minimum: 0,
      maximum: overlapMaxSeconds,
      default: 0,
      description: 'How long the texts until now still work; 0: they end at once',
    }),
  }),
  isBodyOptional: true,
  key: 'refused',
  responses: { 200: shownOnce },
  answerHeaders: { 200: ['ETag'] },
  async handle(request) {
    const { services, body } = request;
    const now = request.machineClock.now();
    const { overlapSeconds } = body as { overlapSeconds: number };
    const rotate = async () => {
      const previous = await storedRecord(apiKeyResource, request, readPathId(request));
      refuseForeignPower(request, previous);
      return rotateApiKey({ db: services.db, author: requestAuditor(request), now }, previous, overlapSeconds);
    };
    return shown(200, await withRetries(rotate, { now: () => services.clock.now().getTime() }));
  },
});

function shown(status: number, { apiKey, text }: NewApiKey): Answer {
  const headers = { ...etagHeader(apiKey), 'Cache-Control': 'no-store' };
  const location = { Location: `/api/v1/${apiKeyResource.path}/${apiKey._id.toHexString()}` };
  return {
    status,
    body: { ...visible(apiKeyResource, apiKey), key: text },
    headers: status === 201 ? { ...headers, ...location } : headers,
  };
}

const keyWrites = defineWrites(apiKeyResource, {
  async prepare(body, context, previous) {
    if (previous) refuseForeignPower(context, previous);
    requireValidGrants(body, context);
    if (previous) refuseOutlasting(context, { ...previous, ...body });
    const { roles = previous?.roles ?? [], permissions = previous?.permissions ?? [] } = body;
    refuseGrant(context.principal, permissionsOfKey({ roles, permissions }, context.services.resources));
    return body;
  },
  /** The user that represents the key has its name. */
  companionOnUpdate: ({ _id }, { name }, { services: { db } }) => {
    if (name === undefined) return undefined;
    const renamed = { $set: { username: apiKeyUsername(_id, name) } };
    return async (session) => void (await collectionOf(db, userResource).updateOne({ _id }, renamed, { session }));
  },
  async remove(apiKey, context, inCommit) {
    refuseForeignPower(context, apiKey);
    const { db, clock } = context.services;
    await withRetries(() => deleteApiKey({ db }, apiKey, inCommit), { now: () => clock.now().getTime() });
  },
});

/** Routes that manage API keys. Nobody gives a key a permission that they do not have, or handles a key with more. */
export const apiKeyRoutes: Route[] = [
  createRoute,
  rotateRoute,
  ...collectionRoutes(keyWrites, { operations: ['list', 'count', 'read', 'update', 'delete'] }),
];

/** Refuses to change, rotate or delete a key with more permissions than the caller, who would get its new secret. */
function refuseForeignPower({ services, principal }: OrgContext, apiKey: ApiKey): void {
  const ownPermissions = permissionsOfKey(apiKey, services.resources);
  requireOwnPermissions(principal, ownPermissions, (beyond) => message('apiKeys.hasBeyond', { permission: beyond }));
}
