import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client';
import { useSettled } from '../../api/useSettled';
import { memberDataKey } from '../../ui/reads';
import { cancelled } from './cancelled';
import type { ReturnBody } from './returnBody';

/** The pause in typing after which the service is asked, in milliseconds. */
const pauseMs = 300;

/** What a return would do: the service decides it as it would the real one, and writes nothing. */
export function useReturnPreview(activity: string, body: ReturnBody | undefined) {
  const text = JSON.stringify(body);
  const settled = useSettled(text, pauseMs);
  const query = useQuery({
    queryKey: [memberDataKey, 'return', activity, settled],
    queryFn: ({ signal }) => {
      const params = { path: { id: activity }, query: { persist: false } };
      const body: ReturnBody = JSON.parse(settled ?? '{}');
      return cancelled(client.POST('/api/v1/activity/{id}/cancel', { params, body, signal }));
    },
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return { ...query, isStale: settled !== text || query.isPlaceholderData || query.isFetching };
}
