import type { Static } from '@sinclair/typebox';
import { freeObject } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'setData',
  { values: freeObject({ description: 'Fields of result.data', minProperties: 1 }) },
  'Puts values into result.data of the answer, for a till or an app to show',
);

/** Sets fields of `result.data`; the value of the last rule wins. */
export const setData: ActionDefinition<Static<typeof params>> = {
  type: 'setData',
  params,
  effects: ({ type, values }) => [{ type, values }],
};

export type SetData = Static<typeof params>;
