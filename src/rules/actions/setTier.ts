import { text } from '../../schema/atoms';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Sets the member's level in a tier policy. */
export const setTier = defineAction({
  type: 'setTier',
  description: 'Puts the member at a level of a tier policy, up or down; rules of lower priority see it',
  params: {
    policy: text(100, { description: 'Name of the tier policy' }),
    level: text(100, { description: 'Name of the level' }),
  },
  names: ({ policy, level }) => [
    { at: 'policy', kind: 'tierPolicy', name: policy },
    { at: 'level', kind: 'tierLevel', name: level, policy },
  ],
  onCancel: 'stays',
  words: ({ policy, level }) => `set the level in ${valueText(policy)} to ${valueText(level)}`,
  effects: ({ type, policy, level }) => [{ type, policy, level }],
  apply: (target, change, rule) => target.setTier(change, rule),
});
