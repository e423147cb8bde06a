import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { userResource } from '../records/users/user';
import { passwordFits } from './passwordHash';

/**
 * Gives the password that the service made for its first user, while it is his: not when he was made with a chosen one,
 * or has another since.
 */
export async function madePasswordOf(
  db: Connection,
  username: string,
  madePassword: string | undefined,
): Promise<string | undefined> {
  if (madePassword === undefined) return undefined;
  const user = await collectionOf(db, userResource).findOne({ username });
  const guess = { password: madePassword, passwordHash: user?.passwordHash, isPreferred: true };
  return (await passwordFits({ ...guess, admit: async () => undefined })) ? madePassword : undefined;
}
