import { LoyaltyError } from './loyaltyError';

/** What a call of a list resolves to. */
interface ListCalled<T> {
  data?: readonly T[];
  error?: unknown;
  response: Response;
}

/**
 * All records of a list, page after page: `for await (const member of pages((query) => client.GET('/api/v1/members',
 * { params: { query: { ...query, limit: 500 } } })))`. The service names the next page in the header `Link`.
 * @param list reads a page; it must pass the arguments that it gets on
 * @throws LoyaltyError when the service answers an error
 */
export async function* pages<T>(
  list: (query: Record<string, string>) => Promise<ListCalled<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let next: Record<string, string> | undefined = {}; next; ) {
    const { data, error, response }: ListCalled<T> = await list(next);
    if (!response.ok) throw new LoyaltyError(response, error);
    yield* data ?? [];
    next = nextOf(response);
  }
}

/** The arguments of the next page that differ from page to page; undefined after the last page. */
function nextOf({ headers, url }: Response): Record<string, string> | undefined {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  const { searchParams } = new URL(target, url);
  const moved = ['skip', 'after'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(moved);
}
