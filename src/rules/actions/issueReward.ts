import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'issueReward',
  { reward: text(100, { description: 'Code of the reward' }) },
  'Gives the member a code of its own for a reward, to be sent once as couponCode; its cost is burned now',
);

/** Issues a reward to the member; the activity fails with 2100 when its cost is not covered. */
export const issueReward: ActionDefinition<Static<typeof params>> = {
  type: 'issueReward',
  params,
  effects: ({ type, reward }, { n }) => [{ type, reward, n }],
};

export type IssueReward = Static<typeof params>;
