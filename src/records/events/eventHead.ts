import { count } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/** The number of the last event of an org. Its `_id` is the id of the org. Not reachable over HTTP. */
export const eventHeadResource = defineResource({
  name: 'EventHead',
  path: 'eventheads',
  isInternal: true,
  fields: { last: count() },
});
