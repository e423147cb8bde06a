import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { memberDataKey } from '../../ui/reads';
import { searchMembers } from '../../ui/searchMembers';

const membersOnPage = 25;

/** What a list shows of a member. */
const select = 'loyaltyID,firstName,lastName,email,phone,status,type,program,purses,tiers,enrolledAt';

/** The members that the address selects, and where the next page begins. */
export function useMembers(params: URLSearchParams) {
  const { search, program, status, after, skip } = Object.fromEntries(params);
  return useQuery({
    queryKey: [memberDataKey, 'members', params.toString()],
    queryFn: async ({ signal }) => {
      const query = {
        select,
        limit: membersOnPage,
        status: status || '!=Merged',
        ...(search ? { search } : { sort: '-_id' }),
        ...(program ? { program } : {}),
        ...(after ? { after } : skip ? { skip: Number(skip) } : {}),
      };
      const { members, link } = await searchMembers(query, signal);
      return { members, next: nextOf(link) };
    },
    placeholderData: keepPreviousData,
  });
}

/** The arguments that say where a page of the list begins. The service gives one of them with the page before. */
export const placeArguments = ['after', 'skip'] as const;

/** What the header `Link` says of the next page: where it begins, and of which search; undefined on the last page. */
function nextOf(link: string | null): [name: string, value: string][] | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  const { searchParams } = new URL(address, location.origin);
  return [...searchParams].filter(([name]) => ['search', ...placeArguments].includes(name));
}
