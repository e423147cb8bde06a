import { tornEntries, tornLots, tornPurses } from '../torn';
import type { Chore } from './chore';

/** Reads members while they change. Each answer must be whole in itself. */
export function readers(): Chore {
  return {
    name: 'reads',
    async run({ insist, members, random }) {
      const member = members[random(members.length)];
      const read = async (path: string) => (await insist('client', [200], (api) => api.get(path))).body;
      const torn = [
        ...tornPurses(await read(`/members/${member}/purses`)),
        ...tornPurses((await read(`/members/${member}`)).purses),
        ...tornLots(await read(`/accrualitems?query=${encodeURIComponent(JSON.stringify({ member }))}&limit=500`)),
        ...tornEntries(await read(`/members/${member}/statement?limit=1000`)),
      ];
      if (torn.length > 0) throw new Error(`member ${member}: ${torn.join('; ')}`);
    },
    faults: async () => [],
  };
}
