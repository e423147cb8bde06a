import { validationError } from '../common/errors';
import type { Request } from '../http/route';
import type { Account } from '../records/members/account';
import { accountFaults } from './accountFaults';

/**
 * Gives the fields to store for a body whose references exist. The account as a whole is checked, so a change of
 * members that leaves the active one out must name another; at creation the first is active unless another is named.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareAccount(
  body: Partial<Account>,
  previous: Account | undefined,
  { services, principal }: Request,
): Promise<Partial<Account>> {
  const { members = [], activeMember = members[0]?.member } = { ...previous, ...body };
  const account = { members, ...(activeMember ? { activeMember } : {}) };
  const faults = await accountFaults(services.db, principal.org, account);
  if (faults.length > 0) throw validationError(faults);
  return { ...body, ...account };
}
