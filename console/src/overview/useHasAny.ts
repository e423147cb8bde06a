import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';

/** The paths of the collections that may be checked. They have the same arguments. */
type ResourceName = 'journal' | 'pursepolicies' | 'rules' | 'members';

/** Tells whether a collection has any record; undefined until that is known, and when it is not enabled. */
export function useHasAny(collection: ResourceName, enabled: boolean): boolean | undefined {
  const { data } = useQuery({
    queryKey: ['hasAny', collection],
    queryFn: () => result(client.GET(`/api/v1/${collection}`, { params: { query: { limit: 1, select: ['_id'] } } })),
    enabled,
  });
  return data && data.length > 0;
}
