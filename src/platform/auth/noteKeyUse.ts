import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { type ApiKey, apiKeyResource } from '#records/users/apiKey';

/** How many milliseconds the stored last use of a key may be behind. */
const noteEveryMs = 60_000;

/** Notes that an API key was used, some time later. It never fails. */
type NoteKeyUse = (author: Author, apiKey: Pick<ApiKey, 'lastUsedAt'>, now: Date) => void;

/**
 * Makes the function that notes the last use of keys, in the background of requests. All processes together write at
 * most once a minute for a key.
 */
export function createNoteKeyUse(db: Connection, log: Logger): NoteKeyUse {
  const writing = new Set<string>();
  return ({ userId: keyId, org }, { lastUsedAt }, now) => {
    const before = new Date(now.getTime() - noteEveryMs);
    const id = keyId.toHexString();
    if ((lastUsedAt && lastUsedAt > before) || writing.has(id)) return;
    writing.add(id);
    // Another process may have noted a use since the key was read.
    const due = { _id: keyId, org, lastUsedAt: { $not: { $gt: before } } };
    collectionOf(db, apiKeyResource)
      .updateOne(due, { $set: { lastUsedAt: now } })
      .catch((error: Error) => log.debug({ error: error.name }, 'the use of an API key was not noted'))
      .finally(() => writing.delete(id));
  };
}
