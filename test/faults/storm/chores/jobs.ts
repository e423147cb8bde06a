import type { Chore } from './chore';

const names = ['aggregates', 'periods', 'escrow', 'expiry', 'tiers', 'inbox', 'members', 'occasions'];

/** Runs jobs by hand, beside the timers of the workers. */
export function jobs(): Chore {
  return {
    name: 'jobs',
    async run({ insist, random }) {
      await insist('admin', [200], (api) => api.post(`/jobs/${names[random(names.length)]}/run`));
    },
    faults: async () => [],
  };
}
