import { isFactRef } from '../language/factRef';
import { amountText } from './amountText';
import { factPhrase } from './factPhrase';
import { valueText } from './valueText';

/** A message of a rule in words: its text, or its texts by language, and what its values are. */
export function messagePhrase(message: unknown, values: unknown): string {
  const named = Object.entries({ ...(values as object | undefined) });
  if (named.length === 0) return valueText(message);
  const phrases = named.map(
    ([name, value]) => `${name} is ${isFactRef(value) ? factPhrase(value) : amountText(value)}`,
  );
  return `${valueText(message)}, where ${phrases.join(' and ')}`;
}
