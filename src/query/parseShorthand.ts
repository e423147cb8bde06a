import { shorthands } from './operators';

/** A shorthand as the condition it stands for, in the form that `query` takes. */
export type ShorthandCondition = Record<string, string>;

/**
 * Reads the value of `field=value`: a prefix `~` (regex without regard to case), `>`, `>=`, `<`, `<=` or `!=`, or none
 * for equality (SPEC "Advanced query arguments"). The same checks and casts as for `query` follow.
 */
export function parseShorthand(text: string): ShorthandCondition {
  const shorthand = shorthands.find(({ prefix }) => text.startsWith(prefix));
  if (!shorthand) return { $eq: text };
  const operand = text.slice(shorthand.prefix.length);
  return shorthand.operator === '$regex' ? { $regex: operand, $options: 'i' } : { [shorthand.operator]: operand };
}
