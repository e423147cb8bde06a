import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { userResource } from '#records/users/user';
import { passwordFits } from './passwordHash';

/**
 * Returns the password that the service generated for its first user, as long as it is valid. It returns undefined when
 * the user was made with another password or has changed it.
 */
export async function findGeneratedPassword(
  db: Connection,
  username: string,
  madePassword: string | undefined,
): Promise<string | undefined> {
  if (madePassword === undefined) return undefined;
  const user = await collectionOf(db, userResource).findOne({ username });
  const guess = { password: madePassword, passwordHash: user?.passwordHash, isPreferred: true };
  return (await passwordFits({ ...guess, admit: async () => undefined })) ? madePassword : undefined;
}
