import { castBoolean, castNumber } from './castValue';
import type { ShorthandCondition } from './parseShorthand';

/**
 * Makes the conditions of a shorthand for a field without a defined type, such as a field below `ext`. A text that can
 * be a number or a boolean is compared as both, so `ext.a=3` matches 3 and "3".
 * @returns the conditions, of which one needs to be met
 */
export function untypedShorthand(condition: ShorthandCondition): Record<string, unknown>[] {
  const [[operator, text] = []] = Object.entries(condition);
  if (operator === undefined || text === undefined || operator === '$regex') return [condition];
  const values = untypedValues(text);
  if (operator === '$eq' || operator === '$ne') {
    return values.length === 1 ? [condition] : [{ [operator === '$eq' ? '$in' : '$nin']: values }];
  }
  // Booleans have no order.
  return values.filter((value) => typeof value !== 'boolean').map((value) => ({ [operator]: value }));
}

/**
 * Returns all values that a text without a defined type may mean: the text, and the number or boolean that it
 * represents.
 */
export function untypedValues(text: string): unknown[] {
  return [text, castNumber(text), castBoolean(text)].filter((value) => value !== undefined);
}
