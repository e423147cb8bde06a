import type { ObjectId } from 'bson';
import { type Author, updateStamps } from '../db/records';
import { collectionOf } from '../db/resource';
import { GuardFailed, withRetries } from '../db/transaction';
import { notFound, validationError } from '../errors';
import type { Services } from '../services';
import { type Account, accountResource } from './account';
import { accountFaults } from './accountFaults';
import type { NewAccount } from './createAccount';
import { memberTaken } from './memberTaken';

/** What a change of an account is checked against before it is written. */
export interface AccountUpdate {
  id: ObjectId;
  change: Partial<NewAccount>;
  /** Refuses the account as it is now, for example because the client saw another version. */
  precondition?(current: Account): void;
}

/**
 * Changes the sent fields of an account. The account as a whole is checked, so a membership that leaves the active
 * member out must name another one; the write holds what was checked against in its filter.
 * @throws ServiceError 1500 when there is none, 1200 naming every field in error, what `precondition` throws
 */
export async function updateAccount(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  author: Author,
  { id, change, precondition }: AccountUpdate,
  now: Date,
): Promise<Account> {
  const accounts = collectionOf(db, accountResource);
  const attempt = async () => {
    const current = await accounts.findOne({ org: author.org, _id: id });
    if (!current) throw notFound('Account');
    precondition?.(current);
    const next = { ...current, ...change };
    const faults = await accountFaults(db, author.org, next);
    if (faults.length > 0) throw validationError(faults);
    const { members, activeMember, updatedAt } = current;
    const updated = await accounts
      .findOneAndUpdate(
        { org: author.org, _id: id, members, updatedAt, ...(activeMember ? { activeMember } : {}) },
        { $set: { ...change, ...updateStamps(author, now) } },
        { returnDocument: 'after' },
      )
      .catch((error: unknown) => Promise.reject(memberTaken(error, next.members)));
    if (!updated) throw new GuardFailed('The account changed meanwhile');
    return updated;
  };
  return withRetries(attempt, { now: () => clock.now().getTime() });
}
