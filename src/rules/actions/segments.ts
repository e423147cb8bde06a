import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const segment = text(200, { description: 'Name of a static segment' });
const addParams = actionShape(
  'addSegment',
  { segment },
  'Puts the member into a static segment; rules of lower priority see it; stays after a cancel',
);
const removeParams = actionShape(
  'removeSegment',
  { segment },
  'Takes the member out of a static segment; stays after a cancel',
);

export type AddSegment = Static<typeof addParams>;
export type RemoveSegment = Static<typeof removeParams>;

/** Puts the member into a static segment. */
export const addSegment: ActionDefinition<AddSegment> = {
  type: 'addSegment',
  params: addParams,
  effects: ({ type, segment: name }) => [{ type, segment: name }],
};

/** Takes the member out of a static segment. */
export const removeSegment: ActionDefinition<RemoveSegment> = {
  type: 'removeSegment',
  params: removeParams,
  effects: ({ type, segment: name }) => [{ type, segment: name }],
};
