import { useQuery } from '@tanstack/react-query';
import type { paths } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';
import { currentSession } from '../session/session';

/** A change of rules that waits for a second person, or was decided. */
export type Proposal = paths['/api/v1/rules/proposals']['get']['responses'][200]['content']['application/json'][number];

/** A proposal with its files, before and after. */
export type OneProposal = paths['/api/v1/rules/proposals/{id}']['get']['responses'][200]['content']['application/json'];

/** Most proposals that a list shows. The service lets 50 wait. */
const shownMax = 50;

/** The latest proposals of a state. */
export function useProposals(status: Proposal['status'], isEnabled = true) {
  return useQuery({
    queryKey: ['rules', 'proposals', status],
    queryFn: () =>
      result(
        client.GET('/api/v1/rules/proposals', {
          params: { query: { sort: ['-_id'], limit: shownMax, query: JSON.stringify({ status }) } },
        }),
      ),
    enabled: isEnabled,
  });
}

/** A proposal with its files. */
export function useProposal(id: string) {
  return useQuery({
    queryKey: ['rules', 'proposals', 'one', id],
    queryFn: () => result(client.GET('/api/v1/rules/proposals/{id}', { params: { path: { id } } })),
  });
}

/** Tells whether the user has made a proposal. The service decides by the id; this only says what is offered. */
export function isOwn({ proposer }: Pick<Proposal, 'proposer'>): boolean {
  return proposer === currentSession()?.username;
}
