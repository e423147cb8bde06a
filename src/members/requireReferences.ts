import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { exists } from '../db/exists';
import { type FieldError, validationError } from '../errors';
import { segmentResource } from '../records/catalog/segment';
import { memberResource } from '../records/members/member';
import { isVacantLoyaltyId } from '../records/members/vacantLoyaltyId';
import { programResource } from '../records/programs/program';
import type { NewMember } from './memberBody';

/**
 * Refuses a member's body that names records the org does not have, or a reserved loyalty id.
 * @throws ServiceError 1200 naming each
 */
export async function requireReferences(db: Connection, org: ObjectId, body: NewMember): Promise<void> {
  const { program, referredBy, loyaltyID, segments = [] } = body;
  const faults: FieldError[] = [];
  if (loyaltyID !== undefined && isVacantLoyaltyId(loyaltyID)) {
    faults.push({ path: 'loyaltyID', kind: 'pattern', message: 'is reserved for merged and erased members' });
  }
  if (!(await exists(db, programResource, org, program))) faults.push(unknownReference('program'));
  if (referredBy && !(await exists(db, memberResource, org, referredBy))) faults.push(unknownReference('referredBy'));
  faults.push(...(await unknownSegments(db, org, segments)));
  if (faults.length > 0) throw validationError(faults);
}

async function unknownSegments(db: Connection, org: ObjectId, ids: readonly ObjectId[]): Promise<FieldError[]> {
  if (ids.length === 0) return [];
  const known = await collectionOf(db, segmentResource)
    .find({ org, _id: { $in: [...ids] } }, { projection: { _id: 1 } })
    .toArray();
  const existing = new Set(known.map(({ _id }) => _id.toHexString()));
  return ids.flatMap((id, index) => (existing.has(id.toHexString()) ? [] : [unknownReference(`segments.${index}`)]));
}

function unknownReference(path: string): FieldError {
  return { path, kind: 'reference', message: 'is not an existing record' };
}
