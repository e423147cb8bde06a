import { useQuery } from '@tanstack/react-query';
import type { components } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { may } from '../../session/session';
import { listQuery } from '../../ui/listQuery';

/** How many products a request names: a URL is too short for all ids of the longest activities. */
const idsMax = 100;

type Line = components['schemas']['ActivityHistory']['lineItems'][number];

/**
 * The names of the products of the catalogue that lines name, by their ids; none without the permission to read
 * products.
 */
export function useProductNames(lines: readonly Line[]): ReadonlyMap<string, string> {
  const ids = [...new Set(lines.flatMap(({ productId }) => productId ?? []))];
  const { data = [] } = useQuery({
    queryKey: ['products', 'byId', ids],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / idsMax) }, (_, n) =>
        ids.slice(n * idsMax, (n + 1) * idsMax),
      );
      return (await Promise.all(parts.map((part) => productsOf(part, signal)))).flat();
    },
    enabled: ids.length > 0 && may('products:read'),
  });
  return new Map(data.map(({ _id, name }) => [_id, name]));
}

function productsOf(ids: readonly string[], signal: AbortSignal) {
  const query = listQuery({ _id: { $in: ids } }, { limit: ids.length, select: 'name' });
  return result(client.GET('/api/v1/products', { params: { query }, signal }));
}
