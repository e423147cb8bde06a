import { Type } from '@sinclair/typebox';
import { count, ext, objectId, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Accounts: the multi-program membership of a member (SPEC "Account"). */
export const accountResource = defineResource({
  name: 'Account',
  path: 'accounts',
  access: 'customer',
  tag: 'Accounts',
  fields: {
    members: Type.Array(record({ member: objectId('Member'), program: objectId('Program') }), {
      minItems: 1,
      maxItems: 100,
    }),
    activeMember: Type.Optional(objectId('Member', { description: 'Defaults to the first of members' })),
    version: count({ description: 'Changes with every write; the ETag' }),
    ext: ext(),
  },
  readOnly: ['version'],
  indexes: [{ keys: { org: 1, 'members.member': 1 }, unique: true }],
});

export type Account = DocOf<typeof accountResource>;
