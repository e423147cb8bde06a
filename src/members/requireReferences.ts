import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { exists } from '../db/exists';
import { type FieldError, validationError } from '../errors';
import { programResource } from '../programs/program';
import { memberResource } from './member';
import type { NewMember } from './memberBody';

/**
 * Refuses a member's body that names records the org does not have.
 * @throws ServiceError 1200 naming each
 */
export async function requireReferences(db: Connection, org: ObjectId, body: NewMember): Promise<void> {
  const { program, referredBy, segments = [] } = body;
  const faults: FieldError[] = [];
  if (!(await exists(db, programResource, org, program))) faults.push(unknownReference('program'));
  if (referredBy && !(await exists(db, memberResource, org, referredBy))) faults.push(unknownReference('referredBy'));
  // No segments exist yet, so every id is unknown.
  faults.push(...segments.map((_, index) => unknownReference(`segments.${index}`)));
  if (faults.length > 0) throw validationError(faults);
}

function unknownReference(path: string): FieldError {
  return { path, kind: 'reference', message: 'is not an existing record' };
}
