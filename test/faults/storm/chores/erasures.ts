import { untilAnswered } from '../../../support/untilAnswered';
import type { Chore } from './chore';
import { makeMember } from './ownMembers';

/** Erases members that have points and a name. */
export function erasures(): Chore {
  const erased: { id: string; name: string }[] = [];
  return {
    name: 'erasures',
    async run(input, n) {
      const name = `erased-${n}`;
      const id = await makeMember(input, name, 5);
      // When the answer to the first is lost, the member is gone already.
      await input.insist('admin', [200, 204, 410], (api) => api.delete(`/members/${id}`));
      erased.push({ id, name });
    },
    async faults({ world }) {
      const admin = world.server.as('admin');
      const faults: string[] = [];
      for (const { id, name } of erased) {
        const { status } = await untilAnswered(() => admin.get(`/members/${id}`));
        const { body } = await untilAnswered(() => admin.get(`/members?email=${name}@storm.example`));
        if (status !== 410 || body.length > 0) faults.push(`the erased ${name} answers ${status}`);
      }
      return faults;
    },
  };
}
