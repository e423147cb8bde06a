import { createHash } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Collection, Connection } from 'mongoose';
import { defineResource } from '../db/resource';
import { instant } from '../schema/atoms';

/** How many failures of one username in the window stop further attempts, and the length of that window. */
export const loginLimits = { failuresMax: 10, windowMs: 15 * 60_000 } as const;

/**
 * Failed logins, kept in MongoDB so that the throttle holds over processes. Stored without an org, which an unknown
 * username has not.
 */
export const loginFailureResource = defineResource({
  name: 'LoginFailure',
  path: 'loginfailures',
  fields: {
    usernameHash: Type.String({ description: 'SHA-256, since people type passwords into the wrong field' }),
    at: instant(),
  },
  indexes: [
    { keys: { usernameHash: 1, at: -1 } },
    { keys: { at: 1 }, expireAfterSeconds: loginLimits.windowMs / 1000 },
  ],
});

interface LoginFailure {
  _id?: ObjectId;
  usernameHash: string;
  at: Date;
}

/** Records a failed login of a username, known or not. */
export async function recordFailure(db: Connection, username: string, now: Date): Promise<void> {
  await failuresOf(db).insertOne({ usernameHash: hashOf(username), at: now });
}

/**
 * Gives how long a username must wait after too many failures.
 * @returns whole seconds until the oldest counted failure leaves the window; 0 when an attempt is allowed
 */
export async function secondsToWait(db: Connection, username: string, now: Date): Promise<number> {
  const { failuresMax, windowMs } = loginLimits;
  const latest = await failuresOf(db)
    .find({ usernameHash: hashOf(username), at: { $gt: new Date(now.getTime() - windowMs) } })
    .sort({ at: -1 })
    .limit(failuresMax)
    .toArray();
  const oldest = latest[failuresMax - 1];
  if (!oldest) return 0;
  return Math.max(1, Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000));
}

function failuresOf(db: Connection): Collection<LoginFailure> {
  return db.collection<LoginFailure>(loginFailureResource.path);
}

function hashOf(username: string): string {
  return createHash('sha256').update(username).digest('base64url');
}
