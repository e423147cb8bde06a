import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'issueReward',
  { reward: text(100, { description: 'Code of the reward' }) },
  'Burns the cost of a reward and gives the member a code of its own, in data.issuedRewards, to be sent once as couponCode; without enough points: error 2100',
);

/** Issues a reward to the member; the activity fails with 2100 when its cost is not covered. */
export const issueReward: ActionDefinition<Static<typeof params>> = {
  type: 'issueReward',
  params,
  effects: ({ type, reward }, { n }) => [{ type, reward, n }],
};

export type IssueReward = Static<typeof params>;
