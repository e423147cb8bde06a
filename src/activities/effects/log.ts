import type { LogEffect } from '../../rules/language/effect';
import type { CarryOut } from './effect';

/** Writes a message into `result.log`. */
export const log: CarryOut<LogEffect> = (target, { type, message }, rule) => {
  target.record(type, rule, message);
  return undefined;
};
