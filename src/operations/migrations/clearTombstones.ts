import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf, updateAll } from '#base/db/collections';
import { lowestId } from '#base/db/records';
import { GuardFailed, inTransaction, withRetries } from '#base/db/transaction';
import { finalSurvivor } from '#members/memberState/readMember';
import { tombstone } from '#members/members/commitMerged';
import { mergedFields } from '#members/members/mergedFields';
import { hasTooWideExt } from '#members/members/mergedProfile';
import { personalFields } from '#members/members/personalFields';
import { memberKeys } from '#records/members/find/memberKeys';
import { type Member, memberResource, segmentsMax } from '#records/members/member';
import type { Migration } from './migration';

/** Number of tombstones that are read at once. */
const pageSize = 200;

/** What earlier versions left. */
const left = { $or: [...personalFields, 'segments.0'].map((field) => ({ [field]: { $exists: true } })) };

/**
 * Makes of what earlier versions left of merged members what a merge leaves now: no personal data. The survivor gets what a
 * merge would give it: its empty fields are filled, and it is found by their e-mails and phone numbers.
 */
export const clearTombstones: Migration = {
  number: 6,
  name: 'what is left of merged members has no personal data',
  async up(db, { progress, signal }) {
    const members = collectionOf(db, memberResource);
    const total = await members.countDocuments({ status: 'Merged', ...left });
    let after = lowestId;
    for (let done = 0; ; ) {
      signal.throwIfAborted();
      const page = await members
        .find({ _id: { $gt: after }, status: 'Merged', ...left })
        .sort({ _id: 1 })
        .limit(pageSize)
        .project<Pick<Member, '_id' | 'org'>>({ org: 1 })
        .toArray();
      if (page.length === 0) return;
      for (const { _id, org } of page) await withRetries(() => clear(db, org, _id), {});
      after = page.at(-1)?._id ?? after;
      done += page.length;
      progress(done, total);
    }
  },
};

function clear(db: Connection, org: ObjectId, _id: ObjectId): Promise<void> {
  return inTransaction(db, async (session) => {
    const survivorId = await finalSurvivor(db, org, _id);
    if (survivorId.equals(_id)) return;
    const [merged, survivor] = await readBoth(db, session, { org, _id, survivorId });
    // Somebody has cleared it meanwhile, or erased both.
    if (merged?.status !== 'Merged') return;
    const fields = survivor && survivor.status !== 'Erased' ? filled(survivor, merged) : {};
    // What does not fit stays where it is.
    if (fields === undefined) return;
    const written = await updateAll(db, session, memberResource.path, [
      ...(survivor && Object.keys(fields).length > 0
        ? [{ q: { _id: survivor._id, org, version: survivor.version }, u: { $set: fields, $inc: { version: 1 } } }]
        : []),
      { q: { _id, org, version: merged.version }, u: { ...tombstone(_id, survivorId), $inc: { version: 1 } } },
    ]);
    if (written !== (Object.keys(fields).length > 0 ? 2 : 1)) throw new GuardFailed('A member changed meanwhile');
  });
}

async function readBoth(
  db: Connection,
  session: ClientSession,
  { org, _id, survivorId }: { org: ObjectId; _id: ObjectId; survivorId: ObjectId },
): Promise<[Member | undefined, Member | undefined]> {
  const found = await collectionOf(db, memberResource)
    .find({ org, _id: { $in: [_id, survivorId] } }, { session })
    .toArray();
  const named = (id: ObjectId) => found.find((each) => each._id.equals(id));
  return [named(_id), named(survivorId)];
}

/** What a merge would set at the survivor; undefined when it would refuse. */
function filled(survivor: Member, merged: Member): Record<string, unknown> | undefined {
  const joined = mergedFields(survivor, [merged]);
  if (joined.segments.length > segmentsMax || hasTooWideExt(survivor, joined)) return undefined;
  const defined = Object.fromEntries(Object.entries(joined).filter(([, value]) => value !== undefined));
  return { ...defined, searchKeys: memberKeys({ ...survivor, ...joined }) };
}
