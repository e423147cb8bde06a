import { Type } from '@sinclair/typebox';
import { count, record, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
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
      record({ purse: text(100, { description: 'Name of a purse policy of the program' }), points: count() }),
    ),
  },
  fixed: ['program'],
  indexes: [{ keys: { org: 1, code: 1 }, unique: true }],
});

export type Reward = DocOf<typeof rewardResource>;
