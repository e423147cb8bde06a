import { Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { text } from '#base/schema/atoms';
import { snappedDurationShape } from '#records/points/terms';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { type ActionName, defineAction } from './action';
import type { IssuedChoice } from './actionTarget';

const code = text(100, { description: 'Code of a reward' });

/** Lets the member choose one of several rewards. */
export const issueChoice = defineAction({
  type: 'issueChoice',
  description:
    'Gives the member a code, in data.issuedChoices, to take one of several rewards: it is sent as couponCode, with the reward as chosenReward',
  params: {
    rewards: Type.Array(code, { minItems: 2, maxItems: 20, uniqueItems: true, description: 'Codes of rewards' }),
    default: Type.Optional({ ...code, description: 'The one of them that may be taken without a choice, also later' }),
    validFor: Type.Optional({ ...snappedDurationShape, description: 'How long the member may choose' }),
  },
  names: ({ rewards, default: other }) => [
    ...rewards.map((name, index): ActionName => ({ at: `rewards.${index}`, kind: 'reward', name })),
    ...(other === undefined ? [] : [{ at: 'default', kind: 'reward' as const, name: other }]),
  ],
  needs: ({ rewards }) => ({ coupons: rewards }),
  check({ rewards, default: other }, check) {
    if (other !== undefined && !rewards.includes(other)) check.error(['default'], message('rules.defaultNotInRewards'));
  },
  onCancel: 'returned',
  words: {
    en: ({ rewards, default: other, validFor }) => {
      const chosen = other === undefined ? '' : `, by default ${valueText(other)}`;
      const limited = validFor === undefined ? '' : `, within ${valueText(validFor)}`;
      return `let the member choose one of the rewards ${valueText(rewards)}${chosen}${limited}`;
    },
    de: ({ rewards, default: other, validFor }) => {
      const chosen = other === undefined ? '' : `, ohne Wahl ${germanValue(other)}`;
      const limited = validFor === undefined ? '' : `, Frist ${germanValue(validFor)}`;
      return `Mitglied eine der Prämien ${germanValue(rewards)} wählen lassen${chosen}${limited}`;
    },
  },
  effects: (
    { type, rewards, default: other, validFor },
    { position: n },
  ): (IssuedChoice & { type: 'issueChoice' })[] => [
    { type, n, rewards, ...(other === undefined ? {} : { default: other }), ...(validFor && { validFor }) },
  ],
  apply: (target, effect, rule) => target.issueChoice(effect, rule),
});
