import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import { client } from '../../api/client';
import { storyKey } from '../parts/reads';

const membersOnPage = 25;

/** What a list shows of a member. */
const select = 'loyaltyID,firstName,lastName,email,phone,status,type,program,purses,tiers,enrolledAt';

/** The members that the address asks for, and the address of the next page. */
export function useMembers(params: URLSearchParams) {
  const { search, program, status, after } = Object.fromEntries(params);
  return useQuery({
    queryKey: [storyKey, 'members', params.toString()],
    queryFn: async ({ signal }) => {
      const query = {
        ...{ select, limit: membersOnPage, status: status || '!=Merged' },
        ...(search ? { search } : { sort: '-_id' }),
        ...(program ? { program } : {}),
        ...(after ? { after } : {}),
      };
      const { data, error, response } = await client.GET('/api/v1/members', {
        params: { query },
        signal,
      });
      if (data === undefined) throw new LoyaltyError(response, error);
      return { members: data, next: nextOf(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
  });
}

/** Where the next page goes on, as the header `Link` says. */
function nextOf(link: string | null): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  return address === undefined ? undefined : (new URL(address, location.origin).searchParams.get('after') ?? undefined);
}
