import type { MemberState } from '../../memberState/memberState';
import type { ProcessingError } from '../../records/activities/activityHistory';
import type { PursePolicy } from '../../records/programs/pursePolicy';
import type { ActingRule } from '../../rules/actions/actionTarget';

/** The purse policy of the member's program that a rule names. */
export function purseOf({ policies }: MemberState, purse: string): PursePolicy | undefined {
  return policies.find(({ name }) => name === purse);
}

/** The error of a rule whose purse policy was deleted after the rule set was published. */
export function unknownPurse(purse: string, rule: ActingRule): ProcessingError {
  return {
    code: 2900,
    message: `Rule ${rule.key} names the purse ${purse}, which the program has no more`,
    status: 422,
  };
}
