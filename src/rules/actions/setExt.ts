import type { Static } from '@sinclair/typebox';
import { freeObject, oneOf } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'setExt',
  {
    on: oneOf(['member', 'activity'], { description: 'Whose' }),
    values: freeObject({ description: 'Extension fields', minProperties: 1 }),
  },
  'Sets extension fields of the member or the activity; stays after a cancel',
);

/** Sets extension fields of the member or of the activity; the value of the last rule wins. */
export const setExt: ActionDefinition<Static<typeof params>> = {
  type: 'setExt',
  params,
  effects: ({ type, on, values }) => [{ type, on, values }],
};

export type SetExt = Static<typeof params>;
