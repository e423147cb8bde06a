import { text } from '../../schema/atoms';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Writes a line into `result.log`. */
export const log = defineAction({
  type: 'log',
  description: 'Writes a line into result.log',
  params: { message: text(500, { description: 'The line' }) },
  inCancellation: true,
  onCancel: 'none',
  words: ({ message }) => `log ${valueText(message)}`,
  effects: ({ type, message }) => [{ type, message }],
  apply: (target, effect, rule) => target.log(effect, rule),
});
