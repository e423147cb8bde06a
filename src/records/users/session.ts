import { instant, objectId } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Sessions: one for each login. The `_id` is the token's `jti`. Deleted at logout, or by MongoDB after `expiresAt`. */
export const sessionResource = defineResource({
  name: 'Session',
  path: 'sessions',
  fields: {
    user: objectId('User'),
    expiresAt: instant(),
  },
  indexes: [{ keys: { user: 1 } }, { keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
});

export type Session = DocOf<typeof sessionResource>;
