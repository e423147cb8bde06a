import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { existingIds } from '#base/db/existingIds';
import { segmentResource } from '#records/catalog/segment';
import { memberResource } from '#records/members/member';
import { isPlaceholderLoyaltyId } from '#records/members/placeholderLoyaltyId';
import { programResource } from '#records/programs/program';
import type { NewMember } from './memberBody';

/**
 * Refuses the body of a member that names unknown records of the org, or a reserved loyalty id.
 * @throws ServiceError 1200 naming each
 */
export async function requireReferences(db: Connection, org: ObjectId, body: NewMember): Promise<void> {
  const [faults = []] = await memberReferenceFaults(db, org, [body]);
  if (faults.length > 0) throw validationError(faults);
}

/** For each body of a member, the faults of references to unknown records of the org, or of a reserved loyalty id. */
export async function memberReferenceFaults(
  db: Connection,
  org: ObjectId,
  bodies: readonly NewMember[],
): Promise<FieldError[][]> {
  const existing = (path: string, ids: readonly ObjectId[]) => existingIds(db, org, path, ids);
  const named = bodies.flatMap(({ referredBy, familyHead }) => [referredBy ?? [], familyHead ?? []].flat());
  const [programs, members, segments] = await Promise.all([
    existing(
      programResource.path,
      bodies.map(({ program }) => program),
    ),
    existing(memberResource.path, named),
    existing(
      segmentResource.path,
      bodies.flatMap(({ segments: each = [] }) => each),
    ),
  ]);
  return bodies.map(({ program, referredBy, familyHead, loyaltyID, segments: own = [] }) => {
    const faults: FieldError[] = [];
    const requireKnown = (id: ObjectId | undefined, known: ReadonlySet<string>, path: string) => {
      if (id && !known.has(id.toHexString())) faults.push(unknownReference(path));
    };
    if (loyaltyID !== undefined && isPlaceholderLoyaltyId(loyaltyID)) {
      faults.push({ path: 'loyaltyID', kind: 'pattern', ...message('members.idReserved') });
    }
    requireKnown(program, programs, 'program');
    requireKnown(referredBy, members, 'referredBy');
    requireKnown(familyHead, members, 'familyHead');
    for (const [index, id] of own.entries()) requireKnown(id, segments, `segments.${index}`);
    return faults;
  });
}

function unknownReference(path: string): FieldError {
  return { path, kind: 'reference', ...message('members.noRecord') };
}
