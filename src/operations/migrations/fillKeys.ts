import type { ObjectId } from 'bson';
import { type Connection, mongo } from 'mongoose';
import { lowestId } from '#base/db/records';
import { folded, toCodeKey } from '#base/schema/findable';
import type { Migration, MigrationRun } from './migration';

/** The code of a write that a unique index refuses. */
const duplicateKey = 11000;

/** How many records are read at once. */
const pageSize = 1000;

interface Filled {
  collection: string;
  from: string;
  to: string;
  keyOf(text: string): string;
  where?: object;
}

const filled: readonly Filled[] = [
  { collection: 'offers', from: 'code', to: 'codeKey', keyOf: folded },
  { collection: 'rewards', from: 'code', to: 'codeKey', keyOf: folded },
  // The others represent API keys and users of OIDC.
  {
    collection: 'users',
    from: 'username',
    to: 'usernameKey',
    keyOf: folded,
    where: { passwordHash: { $exists: true } },
  },
  { collection: 'issuedrewards', from: 'code', to: 'codeKey', keyOf: toCodeKey },
];

/**
 * Stores the keys by which codes and names of users are found in any case. Of several that differ only in case, the
 * oldest gets the key. The others are found as they are only, and `doctor` lists them.
 */
export const fillKeys: Migration = {
  number: 5,
  name: 'codes and usernames are found in any case',
  async up(db, run) {
    for (const each of filled) await fill(db, each, run);
  },
};

async function fill(db: Connection, { collection, from, to, keyOf, where }: Filled, run: MigrationRun): Promise<void> {
  const records = db.collection<Record<string, unknown> & { _id: ObjectId }>(collection);
  const total = await records.estimatedDocumentCount();
  let after = lowestId;
  for (let done = 0; ; ) {
    run.signal.throwIfAborted();
    const page = await records
      .find({ _id: { $gt: after }, [to]: { $exists: false }, ...where })
      .sort({ _id: 1 })
      .limit(pageSize)
      .project<{ _id: ObjectId } & Record<string, unknown>>({ [from]: 1 })
      .toArray();
    if (page.length === 0) return;
    const writes = page.map(({ _id, [from]: text }) => ({
      updateOne: { filter: { _id, [from]: text }, update: { $set: { [to]: keyOf(String(text)) } } },
    }));
    await records.bulkWrite(writes, { ordered: false }).catch(ignoreTaken);
    after = page.at(-1)?._id ?? after;
    done += page.length;
    run.progress(done, total);
  }
}

/** Unordered writes continue after one that fails. */
function ignoreTaken(error: unknown): void {
  const others = error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat().filter(isOther) : [error];
  if (others.length > 0) throw error;
}

function isOther({ code }: { code: number }): boolean {
  return code !== duplicateKey;
}
