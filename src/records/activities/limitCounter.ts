import { count } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** What a limit or budget has used so far for one subject and period; `_id` is derived by `rules/limits`. */
export const limitCounterResource = defineResource({
  name: 'LimitCounter',
  path: 'limitcounters',
  isInternal: true,
  fields: { used: count() },
});
