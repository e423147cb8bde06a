import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/**
 * Checks that names are known. The message for an unknown name proposes a similar one.
 * @param areKeys the names are keys of the object at `at`, not elements of a list
 */
export function checkNames(
  source: RuleSource,
  at: JsonPath,
  what: string,
  names: readonly string[],
  known: readonly string[],
  areKeys = false,
): void {
  names.forEach((name, index) => {
    if (known.includes(name)) return;
    const message = `unknown ${what} "${name}"${didYouMean(name, known)}`;
    if (areKeys) source.keyError([...at, name], message);
    else source.error([...at, index], message);
  });
}
