import { setTimeout as sleep } from 'node:timers/promises';
import { untilAnswered } from '../../../support/untilAnswered';
import type { Chore } from './chore';

const rows = 200;

/** Imports members with points, by workers that are killed meanwhile. */
export function imports(): Chore {
  const done: string[] = [];
  return {
    name: 'imports',
    async run({ insist }, n) {
      const lines = Array.from({ length: rows }, (_unused, row) => `I${n}-${row},main,${row}`);
      const raw = ['loyaltyID,program,balance:Points', ...lines].join('\n');
      const headers = { 'content-type': 'text/csv', 'Idempotency-Key': `import-${n}` };
      const { body } = await insist('ledger-admin', [202], (api) =>
        api.post('/imports?kind=members', undefined, { raw, headers }),
      );
      for (;;) {
        const shown = (await insist('ledger-admin', [200], (api) => api.get(`/imports/${body._id}`))).body;
        if (shown.status !== 'Running') {
          if (shown.status !== 'Done' || shown.created !== rows)
            throw new Error(`it ended so: ${JSON.stringify(shown)}`);
          break;
        }
        await sleep(200);
      }
      done.push(`I${n}-`);
    },
    async faults({ world }) {
      const expected = (rows * (rows - 1)) / 2;
      const faults: string[] = [];
      // One after the other: a user may have few such reads at once.
      for (const prefix of done) {
        const path = `/members?loyaltyID=~^${prefix}&limit=1000`;
        const { body } = await untilAnswered(() => world.server.as('admin').get(path));
        const points = body.map(({ purses }: { purses: { balance: number }[] }) => purses[0]?.balance ?? 0);
        const sum = points.reduce((total: number, each: number) => total + each, 0);
        if (points.length !== rows || sum !== expected) {
          faults.push(`the import ${prefix} made ${points.length} members with ${sum} points`);
        }
      }
      return faults;
    },
  };
}
