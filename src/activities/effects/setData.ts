import type { SetDataEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Puts values into `result.data`; later ones win. */
export const setData: CarryOut<SetDataEffect> = (target, { type, values }, rule) => {
  target.data = { ...target.data, ...values };
  target.log.record(type, rule, values);
  return undefined;
};
