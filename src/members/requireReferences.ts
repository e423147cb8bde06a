import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { type FieldError, validationError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { segmentResource } from '../records/catalog/segment';
import { memberResource } from '../records/members/member';
import { isVacantLoyaltyId } from '../records/members/placeholderLoyaltyId';
import { programResource } from '../records/programs/program';
import type { Resource } from '../schema/resource';
import type { NewMember } from './memberBody';

/**
 * Refuses the body of a member that names unknown records of the org, or a reserved loyalty id.
 * @throws ServiceError 1200 naming each
 */
export async function requireReferences(db: Connection, org: ObjectId, body: NewMember): Promise<void> {
  const { program, referredBy, familyHead, loyaltyID, segments = [] } = body;
  const faults: FieldError[] = [];
  if (loyaltyID !== undefined && isVacantLoyaltyId(loyaltyID)) {
    faults.push({ path: 'loyaltyID', kind: 'pattern', message: 'is reserved for merged and erased members' });
  }
  if (!(await exists(db, programResource, org, program))) faults.push(unknownReference('program'));
  if (referredBy && !(await exists(db, memberResource, org, referredBy))) faults.push(unknownReference('referredBy'));
  if (familyHead && !(await exists(db, memberResource, org, familyHead))) faults.push(unknownReference('familyHead'));
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

async function exists<P extends TProperties>(
  db: Connection,
  resource: Resource<P>,
  org: ObjectId,
  id: ObjectId,
): Promise<boolean> {
  return (await db.collection(resource.path).countDocuments({ org, _id: id }, { limit: 1 })) > 0;
}
