import { freeObject, oneOf } from '#base/schema/atoms';
import { germanValue } from '../words/german/germanValue';
import { valueText } from '../words/valueText';
import { defineAction } from './action';

/** Sets extension fields of the member or the activity. When several rules set one field, the last value wins. */
export const setExt = defineAction({
  type: 'setExt',
  description: 'Sets extension fields of the member or the activity',
  params: {
    on: oneOf(['member', 'activity'], { description: 'Whose' }),
    values: freeObject({ description: 'Extension fields', minProperties: 1 }),
  },
  onCancel: 'stays',
  words: {
    en: ({ on, values }) => `set extension fields of the ${valueText(on).replaceAll('"', '')}: ${valueText(values)}`,
    de: ({ on, values }) =>
      `Erweiterungsfelder ${on === 'activity' ? 'der Aktivität' : 'des Mitglieds'} setzen: ${germanValue(values)}`,
  },
  effects: ({ type, on, values }) => [{ type, on, values }],
  apply: (target, change, rule) => target.setExt(change, rule),
});
