import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape('log', { message: text(500, { description: 'The line' }) }, 'Writes a line into result.log');

/** Writes a line to `result.log`. */
export const log: ActionDefinition<Static<typeof params>> = {
  type: 'log',
  params,
  effects: ({ type, message }) => [{ type, message }],
};

export type Log = Static<typeof params>;
