import { LoyaltyError } from './loyaltyError';

/** What a call of a list resolves to. */
interface ListCalled<T> {
  data?: readonly T[];
  error?: unknown;
  response: Response;
}

/** Where a page begins; the service says it. */
export type PageQuery = { skip?: number; after?: string };

/**
 * All records of a list, page after page: `for await (const member of pages((query) => client.GET('/api/v1/members',
 * { params: { query: { ...query, limit: 500 } } })))`. The service names the next page in the header `Link`.
 * @param list reads a page; it must pass the arguments that it gets on
 * @throws LoyaltyError when the service answers an error
 */
export async function* pages<T>(
  list: (query: PageQuery) => Promise<ListCalled<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let next: PageQuery | undefined = {}; next; ) {
    const { data, error, response }: ListCalled<T> = await list(next);
    if (!response.ok) throw new LoyaltyError(response, error);
    yield* data ?? [];
    next = nextOf(response);
  }
}

/** Where the next page begins; undefined after the last page. */
function nextOf({ headers, url }: Response): PageQuery | undefined {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '') ?? [];
  if (target === undefined) return undefined;
  const { searchParams } = new URL(target, url);
  const skip = searchParams.get('skip');
  const after = searchParams.get('after');
  return { ...(skip === null ? {} : { skip: Number(skip) }), ...(after === null ? {} : { after }) };
}
