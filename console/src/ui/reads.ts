import { useQuery } from '@tanstack/react-query';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';
import { listQuery } from './listQuery';

/** The keys of everything that is read about members; a change makes all of them stale. */
export const memberDataKey = 'memberData';

const one = (id: string) => ({ path: { id } });

/** A member as it is stored. */
export function useMember(id: string, enabled = true) {
  return useQuery({
    queryKey: [memberDataKey, 'member', id],
    queryFn: ({ signal }) => result(client.GET('/api/v1/members/{id}', { params: one(id), signal })),
    enabled,
  });
}

/** The purses of a member, after everything that is due. */
export function usePurses(id: string) {
  return useQuery({
    queryKey: [memberDataKey, 'purses', id],
    queryFn: ({ signal }) => result(client.GET('/api/v1/members/{id}/purses', { params: one(id), signal })),
  });
}

/** What keeps and raises the levels of a member, and the points that will expire. */
export function useForecast(id: string) {
  return useQuery({
    queryKey: [memberDataKey, 'forecast', id],
    queryFn: ({ signal }) => result(client.GET('/api/v1/members/{id}/forecast', { params: one(id), signal })),
  });
}

/** An activity as it is stored. */
export function useActivity(id: string, enabled = true) {
  return useQuery({
    queryKey: [memberDataKey, 'activity', id],
    queryFn: ({ signal }) => result(client.GET('/api/v1/activityhistories/{id}', { params: one(id), signal })),
    enabled,
  });
}

/** What an activity moved in the purses of all members, in the order in which it happened. */
export function useMoved(activity: string) {
  return useQuery({
    queryKey: [memberDataKey, 'moved', activity],
    queryFn: ({ signal }) => {
      const query = listQuery({ activity }, { sort: 'seq', limit: 1000 });
      return result(client.GET('/api/v1/journal', { params: { query }, signal }));
    },
  });
}
