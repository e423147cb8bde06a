import { instant, oneOf } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * Work that remains after a merge or an erasure. The `_id` is the id of the member. The job `members` does the work.
 */
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
