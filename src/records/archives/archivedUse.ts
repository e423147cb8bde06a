import { decimal } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * How much of a limit, a budget or a coupon the archived activities used, and no cancellation gave back. Its id is that of
 * the counter. It is apart from the counter, which commits change. Not reachable over HTTP.
 */
export const archivedUseResource = defineResource({
  name: 'ArchivedUse',
  path: 'archiveduses',
  isInternal: true,
  fields: { used: decimal() },
});
