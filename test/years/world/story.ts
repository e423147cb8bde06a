import type { Comparison } from './compare';
import type { MovedFleet } from './fleet';
import type { WorldProgram } from './program';

/** How many acts and entries of the journal a story has. */
const storyMax = 30;

/** What led to the first difference: the policies, and the latest acts and journal entries of its member. */
export async function story(
  { admin }: MovedFleet,
  programs: readonly WorldProgram[],
  { acts, differences: [difference = ''] }: Comparison,
): Promise<string> {
  const program = programs.find(({ members }) =>
    members.some(({ loyaltyID }) => difference.startsWith(`${loyaltyID} `)),
  );
  const member = program?.members.find(({ loyaltyID }) => difference.startsWith(`${loyaltyID} `));
  if (!program || !member) return difference;
  const { body } = await admin.get(`/journal?member=${member.id}&sort=-seq&limit=${storyMax}`);
  const { zone, policies, tierPolicies, limits, budgets, share, purseIds } = program;
  const nameOf = (id: string) => [...purseIds].find(([, each]) => each === id)?.[0];
  const entries = body.map(
    ({ seq, kind, purse, available, escrow, debt, at, activity, accrualItem }: Record<string, string>) =>
      [seq, kind, nameOf(purse ?? ''), available, escrow, debt, at, activity, accrualItem].join(' '),
  );
  const about = [...policies, ...tierPolicies, limits, budgets, share].map((each) => JSON.stringify(each));
  const done = acts.filter((act) => act.includes(member.loyaltyID)).slice(-storyMax);
  return [difference, zone, ...about, ...done, ...entries, ''].join('\n');
}
