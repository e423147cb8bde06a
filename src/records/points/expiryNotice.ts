import { instant } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';

/**
 * Records that an event has announced the expiry of an accrual item. Its `_id` is made of the item, the horizon and the
 * date of expiry, so each is announced once. MongoDB deletes it after that date.
 */
export const expiryNoticeResource = defineResource({
  name: 'ExpiryNotice',
  path: 'expirynotices',
  isInternal: true,
  fields: { expiresOn: instant() },
  indexes: [{ keys: { expiresOn: 1 }, expireAfterSeconds: 0 }],
});
