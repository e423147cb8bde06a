import { setTimeout as sleep } from 'node:timers/promises';
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
        const { status, created, failed } = (
          await insist('ledger-admin', [200], (api) => api.get(`/imports/${body._id}`))
        ).body;
        if (status !== 'Running') {
          if (status !== 'Done' || created !== rows) throw new Error(`${status}: ${created} created, ${failed} failed`);
          break;
        }
        await sleep(200);
      }
      done.push(`I${n}-`);
    },
    async faults({ world }) {
      const expected = (rows * (rows - 1)) / 2;
      const faults = done.map(async (prefix) => {
        const { body } = await world.server.as('admin').get(`/members?loyaltyID=~^${prefix}&limit=1000`);
        const sum = body.reduce(
          (total: number, { purses }: { purses: { balance: number }[] }) => total + (purses[0]?.balance ?? 0),
          0,
        );
        const isRight = body.length === rows && sum === expected;
        return isRight ? [] : [`the import ${prefix} made ${body.length} members with ${sum} points`];
      });
      return (await Promise.all(faults)).flat();
    },
  };
}
