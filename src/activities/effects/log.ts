import type { LogEffect } from '../../rules/language/effect';
import type { CarryOut } from './carryOut';

/** Writes a message into `result.log`. */
export const log: CarryOut<LogEffect> = (target, { type, message }, rule) => {
  target.log.record(type, rule, message);
  return undefined;
};
