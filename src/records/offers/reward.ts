import { Type } from '@sinclair/typebox';
import { count, findableName, record } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { durationShape, snappedDurationShape } from '#records/points/terms';
import { offerFields } from './offerFields';

/** Rewards: offers that cost points or are issued to a member. */
export const rewardResource = defineResource({
  name: 'Reward',
  path: 'rewards',
  access: 'catalog',
  tag: 'Rewards and offers',
  isDefinition: true,
  fields: {
    ...offerFields,
    cost: Type.Optional(
      record({
        purse: findableName(100, { description: 'Name of a purse policy of the program' }),
        points: count(),
        leastPoints: Type.Optional(count({ description: 'Points to pay at least; the rest may be paid in money' })),
        pointValue: Type.Optional(
          Type.Number({
            exclusiveMinimum: 0,
            maximum: 1_000_000,
            description: 'Minor units to pay in place of one point; with leastPoints',
          }),
        ),
      }),
    ),
    validAfter: Type.Optional({ ...durationShape, description: 'How long after its issue its code becomes valid' }),
    validFor: Type.Optional({ ...snappedDurationShape, description: 'How long its code is valid from then on' }),
  },
  fixed: ['program'],
  hidden: ['codeKey'],
  indexes: [
    { keys: { org: 1, code: 1 }, unique: true },
    { keys: { org: 1, codeKey: 1 }, unique: true, where: { codeKey: { $exists: true } } },
  ],
});

export type RewardCost = NonNullable<Reward['cost']>;

export type Reward = DocOf<typeof rewardResource>;
