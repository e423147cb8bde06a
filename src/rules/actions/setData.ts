import { freeObject } from '../../schema/atoms';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Sets fields of `result.data`. When several rules set one field, the last value wins. */
export const setData = defineAction({
  type: 'setData',
  description: 'Puts values into result.data of the answer, for a till or an app to show',
  params: { values: freeObject({ description: 'Fields of result.data', minProperties: 1 }) },
  inCancellation: true,
  onCancel: 'none',
  words: ({ values }) => `set in the result's data: ${valueText(values)}`,
  effects: ({ type, values }) => [{ type, values }],
  apply: (target, change, rule) => target.setData(change, rule),
});
