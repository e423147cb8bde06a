import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';
import { may } from '../session/session';
import { listQuery } from './listQuery';
import { memberName } from './memberName';

/** Most members whose names are asked for at once. */
const namesMax = 100;

/** What members are called, by their ids; a member that cannot be read, by its id. */
export function useMemberNames(members: readonly string[]): (id: string) => string {
  const ids = [...new Set(members)].slice(0, namesMax);
  const { data = [] } = useQuery({
    queryKey: ['memberNames', ids],
    queryFn: ({ signal }) => {
      const query = listQuery({ _id: { $in: ids } }, { limit: namesMax, select: 'loyaltyID,firstName,lastName' });
      return result(client.GET('/api/v1/members', { params: { query }, signal }));
    },
    enabled: ids.length > 0 && may('members:read'),
  });
  return (id) => {
    const member = data.find(({ _id }) => _id === id);
    return (member && memberName(member)) || id;
  };
}
