import type { FieldError } from '#base/common/errors';
import type { RuleFault } from '#engine/rules/source/ruleSource';

/** A fault of a rule file as a failing field: its path is `file:line:column`. */
export function ruleFieldError({ file, line, column, ...fault }: RuleFault): FieldError {
  return { ...fault, kind: 'rule', path: `${file}:${line}:${column}` };
}
