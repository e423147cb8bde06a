import type { components } from 'loyalty-client/generated/api';
import { LoyaltyError } from 'loyalty-client/loyaltyError';
import type { LoyaltyPaths } from 'loyalty-client/loyaltyPaths';
import { client } from '../api/client';

type Query = NonNullable<LoyaltyPaths['/api/v1/members']['get']['parameters']['query']>;

interface FoundMembers {
  members: components['schemas']['Member'][];
  /** The header that says where the next page begins. */
  link: string | null;
}

/** The fewest characters with which ids, e-mails and phone numbers may begin, and the most of a search. */
const startMin = 3;
const searchMax = 100;

/**
 * The members that are searched for. When no member matches, those with a loyalty id, e-mail or phone number that
 * begins with the typed text, as while somebody still types. The link to the next page then names that search.
 */
export async function searchMembers(query: Query, signal: AbortSignal): Promise<FoundMembers> {
  const found = await list(query, signal);
  const { search = '', after, skip } = query;
  const isWhole = search.length < startMin || search.endsWith('*') || after || skip;
  if (found.members.length > 0 || isWhole) return found;
  return list({ ...query, search: `${search.slice(0, searchMax - 1)}*` }, signal);
}

async function list(query: Query, signal: AbortSignal): Promise<FoundMembers> {
  const { data, error, response } = await client.GET('/api/v1/members', { params: { query }, signal });
  if (data === undefined) throw new LoyaltyError(response, error);
  return { members: data, link: response.headers.get('link') };
}
