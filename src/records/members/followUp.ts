import { instant, oneOf } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** What is left to do after a member was merged or erased; `_id` is the member's. The job `members` works it off. */
export const followUpResource = defineResource({
  name: 'MemberFollowUp',
  path: 'memberfollowups',
  isInternal: true,
  fields: {
    after: oneOf(['merge', 'erase']),
    since: instant(),
  },
  indexes: [{ keys: { org: 1, since: 1 } }],
});
