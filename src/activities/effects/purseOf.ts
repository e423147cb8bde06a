import type { MemberState } from '../../points/memberState';
import type { PursePolicy } from '../../programs/pursePolicy';
import type { Rule } from '../../rules/rule';
import type { ProcessingError } from '../activityHistory';

/** The purse policy of the member's program that a rule names. */
export function purseOf({ policies }: MemberState, purse: string): PursePolicy | undefined {
  return policies.find(({ name }) => name === purse);
}

/** The error of a rule whose purse policy was deleted after the rule set was published. */
export function unknownPurse(purse: string, rule: Rule): ProcessingError {
  return {
    code: 2900,
    message: `Rule ${rule.key} names the purse ${purse}, which the program has no more`,
    status: 422,
  };
}
