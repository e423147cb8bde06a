import { lintWarnings } from '../rules/lint/lintWarnings';
import { faultLine } from '../rulesets/files/logLoad';
import type { FolderCheck } from './checkFolders';
import { countOf, plural, type RuleReport, reportCheck, skipped } from './reportRules';

/** Reports every lint finding with its place. When files have faults, the report lists the faults instead. */
export async function reportLint(check: FolderCheck, now: Date): Promise<RuleReport> {
  const { checked } = check;
  if (checked.some(({ errors }) => errors.length > 0)) {
    const { lines, summary } = reportCheck(check);
    return { lines, summary: `${summary}; lint needs files without fault`, isFine: false };
  }
  const found = (await Promise.all(checked.map((folder) => lintWarnings(folder, now)))).flat();
  return {
    lines: [...skipped(check.unknown), ...found.map(faultLine)],
    summary: `${plural(
      countOf(checked, ({ rules }) => rules.length),
      'rule',
    )}: ${plural(found.length, 'finding')}`,
    isFine: found.length === 0,
  };
}
