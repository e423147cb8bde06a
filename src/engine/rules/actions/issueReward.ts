import { text } from '#base/schema/atoms';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Issues a reward to the member. The activity fails with error 2100 when the purse does not cover the cost. */
export const issueReward = defineAction({
  type: 'issueReward',
  description:
    'Burns the cost of a reward and gives the member a code of its own, in data.issuedRewards, to be sent once as couponCode; without enough points: error 2100',
  params: { reward: text(100, { description: 'Code of the reward' }) },
  names: ({ reward }) => [{ at: 'reward', kind: 'reward', name: reward }],
  needs: ({ reward }) => ({ items: true, coupons: [reward] }),
  onCancel: 'returned',
  words: {
    en: ({ reward }) => `issue the reward ${valueText(reward)}`,
    de: ({ reward }) => `Prämie ${germanValue(reward)} ausgeben`,
  },
  effects: ({ type, reward }, { position: n }) => [{ type, reward, n }],
  apply: (target, effect, rule) => target.issueReward(effect, rule),
});
