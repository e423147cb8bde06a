import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { newStamps, updateStamps } from '#base/db/records';
import { instant, objectId } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import type { User } from './user';

/** Limits of stored logins: their age in days, and their number for each user. */
export const knownLoginLimits = { daysMax: 90, ofUserMax: 50 } as const;

/**
 * Networks from which a user has logged in lately. Failed logins from other networks do not lock the user out of these.
 * Stored in MongoDB, so that the data survives a loss of Redis.
 */
export const knownLoginResource = defineResource({
  name: 'KnownLogin',
  path: 'knownlogins',
  fields: {
    user: objectId('User'),
    networkHash: Type.String({ description: 'SHA-256 of the user and his network' }),
    at: instant(),
  },
  isInternal: true,
  indexes: [
    { keys: { user: 1, networkHash: 1 }, unique: true },
    { keys: { at: 1 }, expireAfterSeconds: knownLoginLimits.daysMax * 86_400 },
  ],
});

/** Tells whether a user has logged in from a network lately. */
export async function isKnownLogin(db: Connection, user: ObjectId, network: string): Promise<boolean> {
  const pair = { user, networkHash: hashLogin(user, network) };
  return (await collectionOf(db, knownLoginResource).findOne(pair, { projection: { _id: 1 } })) !== null;
}

/** Stores that a user has logged in from a network. Only the latest networks of a user are stored. */
export async function rememberLogin(
  db: Connection,
  { _id: user, org }: Pick<User, '_id' | 'org'>,
  network: string,
  now: Date,
): Promise<void> {
  const logins = collectionOf(db, knownLoginResource);
  const author = { org, userId: user };
  const { updatedAt: _at, updatedBy: _by, ...first } = newStamps(author, now);
  await logins.updateOne(
    { user, networkHash: hashLogin(user, network) },
    { $set: { at: now, ...updateStamps(author, now) }, $setOnInsert: first },
    { upsert: true },
  );
  const surplus = await logins.find({ user }).sort({ at: -1, _id: -1 }).skip(knownLoginLimits.ofUserMax).toArray();
  if (surplus.length > 0) await logins.deleteMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
}

/** Deletes all stored networks of a user. */
export async function forgetLogins(db: Connection, user: ObjectId, session: ClientSession): Promise<void> {
  await collectionOf(db, knownLoginResource).deleteMany({ user }, { session });
}

function hashLogin(user: ObjectId, network: string): string {
  return createHash('sha256').update(`${user.toHexString()} ${network}`).digest('base64url');
}
