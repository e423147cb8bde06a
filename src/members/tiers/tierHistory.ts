import { Type } from '@sinclair/typebox';
import { instant, objectId, oneOf, text } from '#base/schema/atoms';
import { defineResource } from '#base/schema/resource';
import { tierChangeReasons } from '#engine/tiers/memberTiers';
import { tierLevelRefShape } from '#records/members/memberTier';

const optional = Type.Optional;

/**
 * Every change of a member's tier, with its reason. It is written in the commit that makes the change, and never
 * updated.
 */
export const tierHistoryResource = defineResource({
  name: 'TierHistory',
  path: 'tierhistories',
  access: 'ledger',
  tag: 'Points and tiers',
  fields: {
    member: objectId('Member'),
    // Not a reference, because the history must not keep a policy from being deleted.
    policyId: objectId(undefined, { description: 'Tier policy' }),
    name: text(100, { description: 'Name of the tier policy' }),
    from: optional(tierLevelRefShape),
    to: optional(tierLevelRefShape),
    why: oneOf(tierChangeReasons),
    at: instant(),
    expiresOn: optional(instant()),
    activity: optional(objectId('ActivityHistory', { description: 'Activity or cancellation that caused the change' })),
    rule: optional(objectId('Rule', { description: 'Rule that set the level' })),
  },
  indexes: [{ keys: { org: 1, member: 1, at: 1 } }],
});
