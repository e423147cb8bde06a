import type { JsonPath, RuleSource } from '../source/ruleSource';
import { type NameKind, unknownName } from '../source/unknownName';

/**
 * Checks that names are known. The message for an unknown name proposes a similar one.
 * @param areKeys the names are keys of the object at `at`, not elements of a list
 */
export function checkNames(
  source: RuleSource,
  at: JsonPath,
  what: NameKind,
  names: readonly string[],
  known: readonly string[],
  areKeys = false,
): void {
  names.forEach((name, index) => {
    if (known.includes(name)) return;
    const fault = unknownName(what, name, known);
    if (areKeys) source.keyError([...at, name], fault);
    else source.error([...at, index], fault);
  });
}
