import { lintWarnings } from '#engine/rules/lint/lintWarnings';
import { faultless } from '#engine/rules/read/programFaults';
import { plural } from '#engine/rules/words/amountText';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import type { FolderCheck } from './checkFolders';
import { type RuleReport, reportCheck, skipped } from './reportRules';

/**
 * Reports every lint finding with its place. Programs with a fault are not searched; the report lists their faults
 * instead.
 */
export async function reportLint(check: FolderCheck, now: Date): Promise<RuleReport> {
  const { checked } = check;
  const programs = checked.flatMap((folder) => folder.programs);
  const fit = faultless(programs);
  if (programs.length > 0 && fit.length === 0) {
    const { lines, summary } = reportCheck(check);
    return { lines, summary: `${summary}; lint needs files without fault`, isFine: false };
  }
  const errors = checked.flatMap((folder) => folder.errors);
  const found = (await Promise.all(checked.map((folder) => lintWarnings(folder, now)))).flat();
  const rules = fit.reduce((sum, program) => sum + program.rules.length, 0);
  const counts = `${plural(rules, 'rule')}: ${plural(found.length, 'finding')}`;
  const unfit = programs.filter((program) => !fit.includes(program)).map(({ program }) => program.code);
  return {
    lines: [...skipped(check.unknown), ...errors.map(faultLine), ...found.map(faultLine)],
    summary: unfit.length === 0 ? counts : `${counts}; not searched because of faults: ${unfit.join(', ')}`,
    isFine: errors.length + found.length === 0,
  };
}
