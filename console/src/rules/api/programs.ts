import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';

/** Most programs that pages offer. */
const programsMax = 1000;

/** The programs of the org, by code. */
export function usePrograms() {
  return useQuery({
    queryKey: ['programs', 'all'],
    queryFn: () =>
      result(client.GET('/api/v1/programs', { params: { query: { sort: ['code'], limit: programsMax } } })),
    staleTime: 60_000,
  });
}
