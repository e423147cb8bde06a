import { text } from '../../schema/atoms';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Fails the activity with error 2400, without any effect. The decision handles this action, so it has no `apply`. */
export const reject = defineAction({
  type: 'reject',
  description: 'Fails the activity with error 2400; nothing of it takes effect',
  params: { message: text(500, { description: 'What the client is told' }) },
  inCancellation: true,
  onCancel: 'none',
  words: ({ message }) => `reject the activity: ${valueText(message)}`,
  effects: ({ type, message }) => [{ type, message }],
});
