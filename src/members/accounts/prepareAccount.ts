import { validationError } from '#base/common/errors';
import type { OrgContext } from '#platform/recordWrites/writeContext';
import type { Account } from '#records/members/account';
import { accountFaults } from './accountFaults';

/**
 * Checks the references of an account and returns the fields to store. The whole account is checked: a change of
 * `members` that removes the active member must name another one. In a new account the first member is active unless
 * the body names another.
 * @throws ServiceError 1200 naming every field in error
 */
export async function prepareAccount(
  body: Partial<Account>,
  { services, principal }: OrgContext,
  previous?: Account,
): Promise<Partial<Account>> {
  const { members = [], activeMember = members[0]?.member } = { ...previous, ...body };
  const account = { members, ...(activeMember ? { activeMember } : {}) };
  const faults = await accountFaults(services.db, principal.org, account);
  if (faults.length > 0) throw validationError(faults);
  return { ...body, ...account };
}
