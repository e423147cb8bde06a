import type { Static } from '@sinclair/typebox';
import { text } from '../../schema/atoms';
import { type ActionDefinition, actionShape } from './action';

const params = actionShape(
  'reject',
  { message: text(500, { description: 'What the client is told' }) },
  'Fails the activity with error 2400; nothing of it takes effect',
);

/** Fails the activity with 2400; nothing it did takes effect. */
export const reject: ActionDefinition<Static<typeof params>> = {
  type: 'reject',
  params,
  effects: ({ type, message }) => [{ type, message }],
};

export type Reject = Static<typeof params>;
