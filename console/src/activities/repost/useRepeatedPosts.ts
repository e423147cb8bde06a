import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { listQuery } from '../../ui/listQuery';
import { memberDataKey } from '../../ui/reads';

/** The processed activity of the same member, instant, type and value: the refused one was sent again before. */
export function useRepeatedPosts({ memberID, type, date, value }: components['schemas']['ActivityHistory']) {
  return useQuery({
    queryKey: [memberDataKey, 'sentAgain', memberID, type, date, value],
    queryFn: async ({ signal }) => {
      const filter = { memberID, type, date, value, status: 'Processed' };
      const query = listQuery(filter, { limit: 1, select: 'createdAt' });
      return (await result(client.GET('/api/v1/activityhistories', { params: { query }, signal })))[0] ?? null;
    },
  });
}
