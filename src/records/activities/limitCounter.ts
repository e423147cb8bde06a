import { count } from '../../schema/atoms';
import { defineResource } from '../../schema/resource';

/** The used amount of a limit or budget for one subject and period; `rules/format/limits.ts` derives the `_id`. */
export const limitCounterResource = defineResource({
  name: 'LimitCounter',
  path: 'limitcounters',
  isInternal: true,
  fields: { used: count() },
});
