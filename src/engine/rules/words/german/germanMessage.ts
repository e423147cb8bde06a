import { isFactRef } from '../../language/factRef';
import { germanAmount } from './germanAmount';
import { germanFact } from './germanFact';
import { germanValue } from './germanValue';

/** A message of a rule in German: its text, or its texts by language, and what its values are. */
export function germanMessage(message: unknown, values: unknown): string {
  const named = Object.entries<unknown>({ ...Object(values) });
  if (named.length === 0) return germanValue(message);
  const phrases = named.map(
    ([name, value]) => `${name}: ${isFactRef(value) ? germanFact(value) : germanAmount(value)}`,
  );
  return `${germanValue(message)} mit ${phrases.join(' und ')}`;
}
