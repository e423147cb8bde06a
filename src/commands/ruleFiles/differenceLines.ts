import type { RuleSetDiff } from '#publishing/rulesets/diffRuleSets';

/** How files differ from the rules in force, a line for each rule. */
export function differenceLines({ added, removed, changed }: RuleSetDiff): string[] {
  return [
    ...added.map(({ program, key }) => `  only in the files: ${program}/${key}`),
    ...removed.map(({ program, key }) => `  not in the files: ${program}/${key}`),
    ...changed.map(
      ({ program, key, fields }) =>
        `  otherwise in the files: ${program}/${key} (${fields.map(({ field }) => field).join(', ')})`,
    ),
  ];
}
