import { setTimeout as sleep } from 'node:timers/promises';
import { earnRule } from '../../../support/world';
import type { Chore } from './chore';

const twice = { of: { fact: 'activity', path: '$.value' }, times: 2 };
const changed = { ...earnRule, actions: [{ type: 'addPoints', purse: 'Points', points: twice }] };

/** Simulates a changed rule over what was posted so far. */
export function simulations(): Chore {
  return {
    name: 'simulations',
    async run({ insist }, n) {
      const options = { headers: { 'Idempotency-Key': `simulation-${n}` } };
      const { body } = await insist('admin', [202], (api) =>
        api.post('/rules/simulate', { rules: [changed], limit: 2000 }, options),
      );
      let shown: { status: string; error?: string };
      do {
        await sleep(200);
        shown = (await insist('admin', [200], (api) => api.get(`/simulations/${body._id}`))).body;
      } while (shown.status === 'Queued' || shown.status === 'Running');
      if (shown.status !== 'Done') throw new Error(`it ended as ${shown.status}: ${shown.error}`);
    },
    faults: async () => [],
  };
}
