import { useQuery } from '@tanstack/react-query';
import type { paths } from 'loyalty-client/generated/api';
import { result } from 'loyalty-client/loyaltyError';
import { client } from '../api/client';

/** A simulation, with its result once it is done. */
export type Simulation = paths['/api/v1/simulations/{id}']['get']['responses'][200]['content']['application/json'];

/** What a simulation says. */
export type SimulationResult = NonNullable<Simulation['result']>;

/** How often a page asks for the progress of what runs, in milliseconds. */
const pollMs = 1000;

/** The simulations of the last 30 days, the latest first. */
export function useSimulations() {
  return useQuery({
    queryKey: ['simulations'],
    queryFn: () =>
      result(
        client.GET('/api/v1/simulations', { params: { query: { sort: ['-_id'], limit: 50, select: ['-result'] } } }),
      ),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? pollMs : false),
  });
}

/** A simulation; as long as it waits or runs it is read again. */
export function useSimulation(id: string) {
  return useQuery({
    queryKey: ['simulations', id],
    queryFn: () => result(client.GET('/api/v1/simulations/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pollMs : false),
  });
}

/** Tells whether a simulation waits or runs. */
export function isOpen({ status }: { status?: string }): boolean {
  return status === 'Queued' || status === 'Running';
}
