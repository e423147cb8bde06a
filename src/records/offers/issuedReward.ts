import { Type } from '@sinclair/typebox';
import { identifier, instant, list, objectId, oneOf, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';

/** Issued rewards and choices of rewards: codes. Each belongs to one member, who can use it once. */
export const issuedRewardResource = defineResource({
  name: 'IssuedReward',
  path: 'issuedrewards',
  access: 'ledger',
  tag: 'Rewards and offers',
  fields: {
    code: identifier(100, { description: 'Unique; sent once as couponCode, by this member only' }),
    /** The form by which the code is found in any case and without hyphens. Several codes may share it. */
    codeKey: Type.Optional(Type.String({ maxLength: 400 })),
    member: objectId('Member'),
    reward: Type.Optional(objectId('Reward', { description: 'Absent of a choice' })),
    choice: Type.Optional(
      record(
        { rewards: list(objectId('Reward'), 20), default: Type.Optional(objectId('Reward')) },
        { description: 'The rewards of which the member may take one' },
      ),
    ),
    validFrom: Type.Optional(instant({ description: 'Before it, the code is not valid; absent: from the start' })),
    validUntil: Type.Optional(
      instant({ description: 'From then on, the code is not valid; only the default of a choice may still be taken' }),
    ),
    choiceOf: Type.Optional(objectId('IssuedReward', { description: 'The choice by which it was taken' })),
    program: objectId('Program'),
    status: oneOf(['Issued', 'Used', 'Withdrawn']),
    activity: Type.Optional(
      objectId('ActivityHistory', { description: 'The activity that issued it; absent of an imported code' }),
    ),
    usedBy: Type.Optional(objectId('ActivityHistory', { description: 'The activity that used it last' })),
    /**
     * The issuing activity was cancelled after this reward was used. If its use is returned, the reward is withdrawn.
     */
    isRecalled: Type.Optional(Type.Boolean()),
  },
  hidden: ['codeKey', 'isRecalled'],
  indexes: [
    { keys: { org: 1, code: 1 }, unique: true },
    { keys: { org: 1, codeKey: 1 }, where: { codeKey: { $exists: true } } },
    { keys: { org: 1, member: 1 } },
    { keys: { org: 1, reward: 1 } },
  ],
});

export type IssuedReward = DocOf<typeof issuedRewardResource>;
