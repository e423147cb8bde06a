import type { MemberState } from '#members/memberState/memberState';
import type { ReturnMode } from './decideReturnModes';
import type { ReturnedAward } from './planReturn';

const words: Record<ReturnMode['how'], string> = {
  reevaluate: 'is decided again without the returned part',
  proportional: 'is returned by its share of the value',
  keep: 'stays until everything is returned',
};

/** Log lines for the awards of rules in a return: how each award was returned, how many points, and a sentence. */
export function awardLogLines(awards: readonly ReturnedAward[], { policies, doc }: MemberState): object[] {
  return awards.map(({ mode, member, points, returned, left, ...award }) => {
    const { rule, how, why } = mode;
    const purse = policies.find(({ _id }) => _id.equals(award.purse))?.name ?? award.purse.toHexString();
    const reason = why === undefined ? '' : ` (${why})`;
    const message = `Rule ${rule.key} ${words[how]}${reason}: ${left} of ${points} points in ${purse} remain.`;
    const other = member.equals(doc._id) ? {} : { member };
    return { rule: rule.key, how, purse, points, returned, left, ...other, ...(why && { reason: why }), message };
  });
}
