import type { ObjectId } from 'bson';
import { type Author, updateStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { ServiceError } from '../errors';
import type { Services } from '../services';
import { type Member, memberResource } from './member';
import { clientStatuses, type MemberChange } from './memberBody';
import { readMember } from './readMember';
import { requireReferences } from './requireReferences';

/**
 * Changes the sent profile fields and status of a member, in one atomic write that moves its version, so that a
 * commit of the ledger that read the member before it decides again.
 * @param version the version the client saw; absent: any
 * @throws ServiceError 1500, 1510 when it is gone, 1280 when its version is another, 1200 for an unknown reference
 */
export async function updateMember(
  { db }: Pick<Services, 'db'>,
  author: Author,
  id: ObjectId,
  body: MemberChange,
  now: Date,
  version?: number,
): Promise<Member> {
  await requireReferences(db, author.org, body);
  const updated = await collectionOf(db, memberResource).findOneAndUpdate(
    { org: author.org, _id: id, status: { $in: [...clientStatuses] }, ...(version === undefined ? {} : { version }) },
    { $set: { ...body, ...updateStamps(author, now) }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  );
  if (updated) return updated;
  await readMember(db, author.org, id);
  throw new ServiceError('versionDiffers', 'The member was changed since; read it again');
}
