import { castBoolean, castNumber } from './castValue';
import type { ShorthandCondition } from './parseShorthand';

/**
 * What a shorthand means for a field whose type nobody defined, such as one below `ext`: a text that reads as a number
 * or a boolean may be either, so `ext.a=3` meets 3 and "3".
 * @returns conditions of which one is enough
 */
export function untypedShorthand(condition: ShorthandCondition): Record<string, unknown>[] {
  const [[operator, text] = []] = Object.entries(condition);
  if (operator === undefined || text === undefined || operator === '$regex') return [condition];
  const values = untypedValues(text);
  if (operator === '$eq' || operator === '$ne') {
    return values.length === 1 ? [condition] : [{ [operator === '$eq' ? '$in' : '$nin']: values }];
  }
  // True and false have no order.
  return values.filter((value) => typeof value !== 'boolean').map((value) => ({ [operator]: value }));
}

/** Every value that a text may mean where nobody defined a type: itself, and the number or boolean it reads as. */
export function untypedValues(text: string): unknown[] {
  return [text, castNumber(text), castBoolean(text)].filter((value) => value !== undefined);
}
