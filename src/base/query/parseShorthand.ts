import { shorthands } from './operators';

/** The condition of a shorthand, in the form that `query` takes. */
export type ShorthandCondition = Record<string, string>;

/**
 * Reads the value of `field=value`: a prefix `~` (case-insensitive regex), `>`, `>=`, `<`, `<=` or `!=`, or no prefix
 * for equality (SPEC "Advanced query arguments"). The result is then checked and cast like a condition in `query`.
 */
export function parseShorthand(text: string): ShorthandCondition {
  const shorthand = shorthands.find(({ prefix }) => text.startsWith(prefix));
  if (!shorthand) return { $eq: text };
  const operand = text.slice(shorthand.prefix.length);
  return shorthand.operator === '$regex' ? { $regex: operand, $options: 'i' } : { [shorthand.operator]: operand };
}
