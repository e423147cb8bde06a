import { isDeepStrictEqual } from 'node:util';
import { Type } from '@sinclair/typebox';
import { anyValue, list, record } from '#base/schema/atoms';
import type { RuleDefinition } from '#engine/rules/format/rule';

/** Maximum number of rows of each list of a difference. */
const rowsMax = 1000;

const named = {
  program: Type.String({ description: 'Code' }),
  key: Type.String(),
  name: Type.String(),
  file: Type.String({ description: 'Path from RULES_DIR' }),
};
const changedField = record({
  field: Type.String(),
  before: Type.Optional(anyValue()),
  after: Type.Optional(anyValue()),
});

/** The difference between two rule sets. */
export const ruleSetDiffShape = record({
  added: list(record(named), rowsMax),
  removed: list(record(named), rowsMax),
  changed: list(record({ ...named, fields: list(changedField, 100) }), rowsMax),
});

type Named = { program: string; key: string; name: string; file: string };

/** The rules that differ between two rule sets, by program and key. Of many, each list has the first 1,000. */
export interface RuleSetDiff {
  added: Named[];
  removed: Named[];
  changed: (Named & { fields: { field: string; before?: unknown; after?: unknown }[] })[];
}

/** Compares two rule sets. A rule that only moved within its file or to another file did not change. */
export function diffRuleSets(before: readonly RuleDefinition[], after: readonly RuleDefinition[]): RuleSetDiff {
  const [old, next] = [byKey(before), byKey(after)];
  const only = (rules: typeof old, others: typeof old) =>
    [...rules].flatMap(([id, rule]) => (others.has(id) ? [] : [namedRule(rule)])).slice(0, rowsMax);
  const changed = [...next].flatMap(([id, rule]) => {
    const was = old.get(id);
    const fields = was ? changedFields(was, rule) : [];
    return fields.length > 0 ? [{ ...namedRule(rule), fields }] : [];
  });
  return { added: only(next, old), removed: only(old, next), changed: changed.slice(0, rowsMax) };
}

function byKey(rules: readonly RuleDefinition[]): Map<string, RuleDefinition> {
  const sorted = [...rules].sort((a, b) => (ruleIdentity(a) < ruleIdentity(b) ? -1 : 1));
  return new Map(sorted.map((rule) => [ruleIdentity(rule), rule]));
}

function ruleIdentity({ programId, key }: RuleDefinition): string {
  return `${programId.toHexString()} ${key}`;
}

function namedRule({ programCode, key, name, file }: RuleDefinition): Named {
  return { program: programCode, key, name, file };
}

function changedFields(before: RuleDefinition, after: RuleDefinition): RuleSetDiff['changed'][number]['fields'] {
  const [old, next] = [writtenRule(before), writtenRule(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].sort();
  return names.flatMap((field) =>
    isDeepStrictEqual(old[field], next[field])
      ? []
      : [{ field, ...(field in old ? { before: old[field] } : {}), ...(field in next ? { after: next[field] } : {}) }],
  );
}

/** The fields of a rule as plain JSON, without its place. */
export function writtenRule({
  file: _file,
  position: _at,
  programId: _id,
  programCode: _code,
  row: _row,
  ...rule
}: RuleDefinition): Record<string, unknown> {
  return JSON.parse(JSON.stringify(rule));
}
