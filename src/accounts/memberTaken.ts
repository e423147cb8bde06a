import { ObjectId } from 'bson';
import { duplicateKeyOf } from '../db/duplicateKey';
import { validationError } from '../errors';
import type { Account } from './account';
import { memberFault } from './accountFaults';

/**
 * The error of a write of an account: when it met the unique index, the answer that names the entry whose member is in
 * another account; any other error as it is.
 */
export function memberTaken(error: unknown, members: Account['members']): unknown {
  const taken = duplicateKeyOf(error)?.get('members.member');
  if (!(taken instanceof ObjectId)) return error;
  const index = members.findIndex(({ member }) => member.equals(taken));
  return validationError([memberFault(index, 'unique', 'is in another account')]);
}
