import { instant, objectId } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';

/** Sessions: one for each login; its `_id` is the token's `jti`. Deleted at logout, and by MongoDB once it has ended. */
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
