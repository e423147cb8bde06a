import { ObjectId } from 'bson';
import { malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { parseJsonArgument } from '#base/query/parseJsonArgument';

/**
 * The two accepted names of the same field: its name in the account, and its name in the examples of SPEC "16 Unlink".
 */
const names = ['members.member', 'members.memberId'];

/**
 * Reads the id of the member that `POST /accounts/unlink` takes out of its account.
 * @throws ServiceError 1210 unless the query compares one of {@link names} with one id, and nothing else
 */
export function parseUnlinkQuery(text: string | undefined): ObjectId {
  if (text === undefined) throw malformed(message('accounts.queryNeeded'));
  const [condition, ...others] = Object.entries(parseJsonArgument('query', text));
  if (!condition || others.length > 0 || !names.includes(condition[0])) {
    throw malformed(message('accounts.queryNames', { names: names.join(', ') }));
  }
  const [name, id] = condition;
  if (typeof id !== 'string' || !/^[0-9a-f]{24}$/i.test(id)) throw malformed(message('accounts.oneId', { name }));
  return new ObjectId(id);
}
