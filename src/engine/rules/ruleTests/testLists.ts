import type { ResolvedLists } from '#engine/rules/evaluate/resolvedLists';
import type { RuleTest } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';

/** The named lists of a test. Their elements are the strings of the test, such as SKUs. */
export function testLists({ namedLists = {} }: RuleTest, definitions: RuleReferences): ResolvedLists {
  const byName = new Map(Object.entries(namedLists).map(([name, texts]) => [name, new Set(texts)]));
  const none: ReadonlySet<string> = new Set();
  return {
    byName,
    byId: new Map((definitions.namedLists ?? []).map(({ id, name }) => [id, byName.get(name) ?? none])),
  };
}
