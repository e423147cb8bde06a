import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { useSettled } from '../../api/useSettled';
import { useSentences } from '../../i18n/useSentences';
import { may } from '../../session/session';
import type { EditedFile } from '../api/ruleApi';

/** What the service says of changed files, half a second after the last change. */
export function usePreview(files: readonly EditedFile[]) {
  const query = useSentences();
  const settled = useSettled(JSON.stringify(files));
  return useQuery({
    queryKey: ['rule preview', settled, query],
    queryFn: ({ signal }) =>
      result(
        client.POST('/api/v1/rules/preview', {
          body: { files: JSON.parse(settled) as EditedFile[] },
          params: { query },
          signal,
        }),
      ),
    enabled: may('rules:check'),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
}
