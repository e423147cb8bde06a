import { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { invalidField } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, type InCommit, inTransaction, withRetries } from '#base/db/transaction';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import { recordChange } from '#platform/audit/change';
import { apiKeyPrefix, makeApiKeyText } from '#platform/auth/apiKeyText';
import { apiKeyUsername } from '#platform/auth/reservedUsernames';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { type ApiKey, apiKeyResource, apiKeysMax, secretsMax } from '#records/users/apiKey';
import { userResource } from '#records/users/user';

/** The fields of a key that clients set. */
export type ApiKeyFields = Pick<ApiKey, 'name' | 'permissions' | 'roles' | 'expiresAt' | 'rateLimit'>;

/** A key and its text, which is shown once and not stored. */
export interface NewApiKey {
  apiKey: ApiKey;
  text: string;
}

/** Who changes keys, and when. */
export interface ApiKeyChange {
  db: Connection;
  author: Auditor;
  now: Date;
}

/**
 * Makes a key, and the user with the same id that represents it in `createdBy`, in one transaction.
 * @throws the driver's duplicate key error when the name is taken; ServiceError 1200 when the org has too many keys
 */
export async function createApiKey({ db, author, now }: ApiKeyChange, fields: ApiKeyFields): Promise<NewApiKey> {
  const keys = collectionOf(db, apiKeyResource);
  if ((await keys.countDocuments({ org: author.org })) >= apiKeysMax) {
    throw invalidField('name', 'maxItems', message('apiKeys.tooMany', { max: apiKeysMax }));
  }
  const id = new ObjectId();
  const { text, hash } = makeApiKeyText(id);
  const apiKey: ApiKey = { ...newStamps(author, now, id), ...fields, prefix: apiKeyPrefix(id), secrets: [{ hash }] };
  const user = {
    ...newStamps(author, now, id),
    username: apiKeyUsername(id, fields.name),
    roles: [],
    isActive: false,
    kind: 'key' as const,
  };
  const store = async (session: ClientSession) => {
    await keys.insertOne(apiKey, { session });
    await collectionOf(db, userResource).insertOne(user, { session });
    const change = recordChange(apiKeyResource, { action: 'create', id }, { after: apiKey });
    await audit(db, session, author, now, [change]);
  };
  await serializedPerOrg(db, author.org, () => withRetries(() => inTransaction(db, store), {}));
  return { apiKey, text };
}

/**
 * Gives a key a new secret. Earlier secrets end after the overlap, or at their own end if that is sooner.
 * @throws ServiceError 1200 when too many overlap; {@link GuardFailed} when another request changed the key meanwhile
 */
export async function rotateApiKey(
  { db, author, now }: ApiKeyChange,
  previous: ApiKey,
  overlapSeconds: number,
): Promise<NewApiKey> {
  const { text, hash } = makeApiKeyText(previous._id);
  const latest = new Date(now.getTime() + overlapSeconds * 1000);
  const overlapping = previous.secrets
    .map((secret) => ({ ...secret, endsAt: secret.endsAt && secret.endsAt < latest ? secret.endsAt : latest }))
    .filter(({ endsAt }) => endsAt > now);
  if (overlapping.length >= secretsMax) {
    const fault = message('apiKeys.tooManySecrets', { max: secretsMax });
    throw invalidField('overlapSeconds', 'maxItems', fault);
  }
  const { _id, org, updatedAt, secrets } = previous;
  const same = { _id, org, updatedAt, secrets };
  const set = { secrets: [...overlapping, { hash }], ...updateStamps(author, now) };
  const rotate = async (session: ClientSession) => {
    const keys = collectionOf(db, apiKeyResource);
    const apiKey = await keys.findOneAndUpdate(same, { $set: set }, { returnDocument: 'after', session });
    if (!apiKey) throw new GuardFailed();
    const change = recordChange(apiKeyResource, { action: 'rotate', id: _id }, { before: previous, after: apiKey });
    await audit(db, session, author, now, [change]);
    return { apiKey, text };
  };
  return serializedPerOrg(db, org, () => inTransaction(db, rotate));
}

/**
 * Deletes a key; every process refuses it from now on. Its user stays, since records name it.
 * @param inCommit appends to the audit log
 */
export async function deleteApiKey(
  { db }: Pick<ApiKeyChange, 'db'>,
  { _id, org }: ApiKey,
  inCommit?: InCommit<ApiKey>,
): Promise<void> {
  const remove = async (session: ClientSession) => {
    const deleted = await collectionOf(db, apiKeyResource).findOneAndDelete({ _id, org }, { session });
    if (deleted) await inCommit?.(deleted, session);
  };
  await serializedPerOrg(db, org, () => inTransaction(db, remove));
}
