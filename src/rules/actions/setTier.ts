import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'setTier',
  {
    policy: text(100, { description: 'Name of the tier policy' }),
    level: text(100, { description: 'Name of the level' }),
  },
  'Puts the member at a level of a tier policy, up or down; rules of lower priority see it; stays after a cancel',
);

/** Puts the member at a level of a tier policy. */
export const setTier: ActionDefinition<Static<typeof params>> = {
  type: 'setTier',
  params,
  effects: ({ type, policy, level }) => [{ type, policy, level }],
};

export type SetTier = Static<typeof params>;
