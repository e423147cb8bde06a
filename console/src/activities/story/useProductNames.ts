import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { listQuery } from '../../members/parts/listQuery';
import { may } from '../../session/session';

type Line = components['schemas']['ActivityHistory']['lineItems'][number];

/** The names of the products of the catalogue that lines name, by their ids; none for whom may not read products. */
export function useProductNames(lines: readonly Line[]): ReadonlyMap<string, string> {
  const ids = [...new Set(lines.flatMap(({ productId }) => productId ?? []))];
  const { data = [] } = useQuery({
    queryKey: ['products', 'byId', ids],
    queryFn: ({ signal }) => {
      const query = listQuery({ _id: { $in: ids } }, { limit: ids.length, select: 'name' });
      return result(client.GET('/api/v1/products', { params: { query }, signal }));
    },
    enabled: ids.length > 0 && may('products:read'),
  });
  return new Map(data.map(({ _id, name }) => [_id, name]));
}
