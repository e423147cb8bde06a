import { Type } from '@sinclair/typebox';
import { Binary, ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, insertAll } from '#base/db/collections';
import { derivedId } from '#base/db/records';
import { anyValue, objectId } from '#base/schema/atoms';
import { soughtForms } from '#base/schema/findable';
import { defineResource } from '#base/schema/resource';
import { archiveVolumeResource } from './archiveVolume';
import type { ArchivedActivity } from './findArchived';

/**
 * The keys of submissions that were moved to the archive, so that none of them ever takes effect again. There is one for
 * each archived activity, for ever. So it is small: its id is made of the key, and it has no stamps. Not reachable over
 * HTTP.
 */
export const archivedKeyResource = defineResource({
  name: 'ArchivedKey',
  path: 'archivedkeys',
  isInternal: true,
  fields: {
    volume: objectId('ArchiveVolume'),
    /** The first bytes of the hash of the request. */
    hash: Type.Unsafe<Binary>(anyValue()),
  },
});

/** A key as it is stored. */
interface StoredKey {
  _id: ObjectId;
  org: ObjectId;
  volume: ObjectId;
  hash: Binary;
}

/** An archived key: where its submission went, and whether a request is the same. */
export interface ArchivedKey extends ArchivedActivity {
  isOf(hash: string): boolean;
}

/** How many bytes of a hash are kept. Only requests with one key are compared. */
const hashBytes = 8;

function shortHash(hash: string): string {
  return hash.slice(0, 2 * hashBytes);
}

function keyId(org: ObjectId, key: string): ObjectId {
  return derivedId('archivedKey', org, key);
}

/**
 * Remembers keys in the transaction that deletes their submissions. A key may be there: a repetition for later processing
 * had a submission of its own, until it was refused.
 * @returns how many were not there
 */
export async function rememberKeys(
  db: Connection,
  session: ClientSession,
  { org, volume }: Pick<StoredKey, 'org' | 'volume'>,
  submissions: readonly { key: string; hash: string }[],
): Promise<number> {
  const rows = submissions.map(({ key, hash }) => ({
    _id: keyId(org, key),
    org,
    volume,
    hash: new Binary(Buffer.from(shortHash(hash), 'hex')),
  }));
  const found = await keysIn(db)
    .find({ _id: { $in: rows.map(({ _id }) => _id) }, org }, { session, projection: { _id: 1 } })
    .toArray();
  const known = new Set(found.map(({ _id }) => _id.toHexString()));
  const added = rows.filter(({ _id }) => !known.has(_id.toHexString()));
  await insertAll(db, session, archivedKeyResource.path, added);
  return added.length;
}

function keysIn(db: Connection) {
  return db.collection<StoredKey>(archivedKeyResource.path);
}

/**
 * Those of these keys that are archived. A caller reads the submissions first: a submission moves from there to here, so
 * in this order it is always found.
 */
export async function findArchivedKeys(
  db: Connection,
  org: ObjectId,
  keys: readonly string[],
): Promise<Map<string, ArchivedKey>> {
  const found = new Map<string, ArchivedKey>();
  const keyOf = new Map(
    keys.flatMap((key) => soughtForms(key).map((form) => [keyId(org, form).toHexString(), key] as const)),
  );
  if (keyOf.size === 0) return found;
  const ids = [...keyOf.keys()].map((hex) => ObjectId.createFromHexString(hex));
  for (const { _id, volume: id, hash } of await keysIn(db)
    .find({ _id: { $in: ids }, org })
    .toArray()) {
    const volume = await collectionOf(db, archiveVolumeResource).findOne({ _id: id, org });
    const short = Buffer.from(hash.buffer).toString('hex');
    found.set(keyOf.get(_id.toHexString()) ?? '', {
      volume: volume?.name ?? id.toHexString(),
      at: volume?.createdAt ?? id.getTimestamp(),
      isOf: (sent) => shortHash(sent) === short,
    });
  }
  return found;
}
