import { type Author, newStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { validationError } from '../errors';
import type { Services } from '../services';
import { type Account, accountResource } from './account';
import { accountFaults } from './accountFaults';
import { memberTaken } from './memberTaken';

/** What makes an account: its members, and which of them is active when that is not the first. */
export type NewAccount = Pick<Account, 'members' | 'activeMember' | 'ext'>;

/**
 * Makes an account of existing members, none of which is in another one.
 * @throws ServiceError 1200 naming every field in error
 */
export async function createAccount(
  { db }: Pick<Services, 'db'>,
  author: Author,
  body: NewAccount,
  now: Date,
): Promise<Account> {
  const activeMember = body.activeMember ?? body.members[0]?.member;
  const account: Account = { ...newStamps(author, now), ...body, ...(activeMember ? { activeMember } : {}) };
  const faults = await accountFaults(db, author.org, account);
  if (faults.length > 0) throw validationError(faults);
  try {
    await collectionOf(db, accountResource).insertOne(account);
    return account;
  } catch (error) {
    throw memberTaken(error, account.members);
  }
}
