import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { folded, soughtForms } from '#base/schema/findable';
import { type User, userResource } from '#records/users/user';

/** Finds a user by the name as it is typed: exactly so, or else in any case. */
export async function findUser(db: Connection, username: string): Promise<User | undefined> {
  const forms = soughtForms(username);
  const found = await collectionOf(db, userResource)
    .find({ $or: [{ username: { $in: forms } }, { usernameKey: folded(username) }] })
    .limit(forms.length + 1)
    .toArray();
  return (
    found.find((user) => user.username === username) ??
    found.find(({ username: name }) => forms.includes(name)) ??
    found[0]
  );
}
