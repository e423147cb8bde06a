import { message } from '#base/common/messages/message';
import type { RuleDefinition } from '../format/rule';
import { readAwardFilter } from '../language/awardFilter';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';

/** A rule and its position in a file. `conditions` are those in the file. */
interface PlacedRule {
  source: RuleSource;
  at: JsonPath;
  draft: RuleDefinition;
  conditions: unknown;
}

/** The facts that tell what other rules gave in the same activity. */
const factsOfRules: ReadonlySet<unknown> = new Set(['pointsOfActivity', 'amountOfActivity']);

/** Checks that the rules whose points other rules of the program read exist and are decided before them. */
export function checkEarlier(
  placed: readonly PlacedRule[],
  named: readonly { name: string; conditions: unknown }[],
): void {
  const parts = new Map(named.map(({ name, conditions }) => [name, namedParts(conditions)]));
  const priorities = new Map<string, number>();
  for (const { draft } of placed) {
    const { key, row, priority } = draft;
    for (const name of row ? [key, row.table] : [key]) {
      priorities.set(name, Math.max(priority, priorities.get(name) ?? 0));
    }
  }
  for (const { source, at, draft, conditions } of placed) {
    const place = [...at, 'conditions'];
    for (const { path, key } of [
      ...namedIn(conditions, place),
      ...keysBehind(conditions, parts).map((key) => ({ path: place, key })),
      ...namedIn(draft.actions, [...at, 'actions']),
    ]) {
      const priority = priorities.get(key);
      if (priority === undefined) {
        source.error(path, didYouMean(message('rules.noRuleWithKey', { key }), key, [...priorities.keys()]));
      } else if (priority <= draft.priority) {
        source.error(path, message('rules.priorityTooLow', { key, priority, least: draft.priority }));
      }
    }
  }
}

/** What a condition names itself: keys of rules, and named conditions. */
interface Parts {
  keys: readonly string[];
  names: readonly string[];
}

function namedParts(conditions: unknown): Parts {
  return { keys: namedIn(conditions, []).map(({ key }) => key), names: namesIn(conditions) };
}

/** The keys in the named conditions that conditions use, directly or through others. They are not expanded for it. */
function keysBehind(conditions: unknown, parts: ReadonlyMap<string, Parts>): string[] {
  const used = new Set(namesIn(conditions));
  for (const name of used) for (const other of parts.get(name)?.names ?? []) used.add(other);
  return [...new Set([...used].flatMap((name) => parts.get(name)?.keys ?? []))];
}

/** The named conditions in conditions as written. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const name: unknown = Reflect.get(value, 'condition');
  return typeof name === 'string' ? [name] : Object.values(value).flatMap(namesIn);
}

/** The keys that references to facts name in a value, with their places. The recursion is safe: files nest at most 100 levels. */
function namedIn(value: unknown, at: JsonPath): { path: JsonPath; key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const isOfRule = factsOfRules.has(Reflect.get(value, 'fact'));
  const { rule } = isOfRule ? readAwardFilter(Reflect.get(value, 'params')) : {};
  const isList = Array.isArray(value);
  return [
    ...(rule === undefined ? [] : [{ path: [...at, 'params', 'rule'], key: rule }]),
    ...Object.entries(value).flatMap(([name, each]) => namedIn(each, [...at, isList ? Number(name) : name])),
  ];
}
