import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { isUnreached } from './isUnreached';

/** Why a page does not know yet what there is: a read continues, or has failed. */
export type Unread = 'loading' | 'failed';

/** Tells whether a read of what is shown now has failed without an answer of the service. */
export function isFailed(query: Query): boolean {
  return query.isActive() && isUnreached(query.state.error);
}

/**
 * Why the page may not show everything yet; undefined once all its reads are done. Until then it must not say "there is
 * none". All reads count, so that no page has to check each of its own.
 */
export function useUnread(): Unread | undefined {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((changed: () => void) => cache.subscribe(notifyManager.batchCalls(changed)), [cache]);
  return useSyncExternalStore(subscribe, () => {
    const queries = cache.getAll();
    if (queries.some(isFailed)) return 'failed';
    return queries.some(isAwaited) ? 'loading' : undefined;
  });
}

/** The fault of the first read that has failed. */
export function useReadFault(): unknown {
  const cache = useQueryClient().getQueryCache();
  return useUnread() === 'failed' ? cache.getAll().find(isFailed)?.state.error : undefined;
}

function isAwaited(query: Query): boolean {
  return query.isActive() && query.state.status === 'pending' && query.state.fetchStatus !== 'idle';
}
