import { runScenario } from '#activities/scenario/runScenario';
import { compareRules } from '#engine/rules/format/rule';
import { runTests, type TestOutcome } from '#engine/rules/ruleTests/runTests';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { plural } from '#engine/rules/words/amountText';
import { faultLine } from '#publishing/rulesets/files/logLoad';
import type { CheckedFolder, FolderCheck } from './checkFolders';

/** The output of a command on rules. */
export interface RuleReport {
  lines: string[];
  /** The counts, in one line. */
  summary: string;
  isFine: boolean;
}

/** Reports every fault and warning with its place, then each program when an org has several, then the counts. */
export function reportCheck({ checked, unknown }: FolderCheck): RuleReport {
  const errors = checked.flatMap((folder) => folder.errors);
  const warnings = checked.flatMap((folder) => folder.warnings);
  const rules = countInFolders(checked, (folder) => folder.rules.length);
  const files = countInFolders(checked, (folder) => folder.files.length);
  return {
    lines: [
      ...skipped(unknown),
      ...errors.map(faultLine),
      ...warnings.map((warning) => `${faultLine(warning)} (warning)`),
      ...checked.filter(({ programs }) => programs.length > 1).flatMap(programLines),
    ],
    summary: [
      `${plural(rules, 'rule')} in ${plural(files, 'file')}`,
      `${plural(errors.length, 'fault')}, ${plural(warnings.length, 'warning')}`,
    ].join(': '),
    isFine: errors.length === 0,
  };
}

/** Says of each program whether its rules can be published: a fault in one leaves the others alone. */
function programLines({ programs, files }: CheckedFolder): string[] {
  return programs.map(({ program: { code }, rules, errors }) => {
    const own = files.filter(({ path }) => path.startsWith(`${code}/`)).length;
    const faults = errors.length === 0 ? 'no fault' : `${plural(errors.length, 'fault')}, its rules in force stay`;
    return `${code}: ${plural(rules.length, 'rule')} in ${plural(own, 'file')}: ${faults}`;
  });
}

/**
 * Reports every test with its outcome, then the counts. In a program whose files have faults other than failed tests,
 * no test runs, and the report lists these faults.
 */
export async function reportTests(check: FolderCheck): Promise<RuleReport> {
  const programs = check.checked.flatMap((folder) => folder.programs);
  const unfit = programs.filter(({ errors }) => !errors.every(isTestFault));
  if (unfit.length > 0 && unfit.length === programs.length) {
    const { lines, summary } = reportCheck(check);
    return { lines, summary: `${summary}; no test ran, as tests need files without fault`, isFine: false };
  }
  const outcomes = await collectOutcomes(check.checked);
  const failed = outcomes.filter(({ differences }) => differences.length > 0);
  const errors = check.checked.flatMap((folder) => folder.errors);
  const passed = outcomes.length - failed.length;
  const counts = `${plural(outcomes.length, 'test')}: ${passed} passed, ${failed.length} failed`;
  const without = unfit.map(({ program }) => program.code).join(', ');
  return {
    lines: [...skipped(check.unknown), ...outcomes.flatMap(outcomeLines), ...errors.map(faultLine)],
    summary: unfit.length === 0 ? counts : `${counts}; no test ran in ${without}, as tests need files without fault`,
    isFine: errors.length === 0,
  };
}

async function collectOutcomes(checked: CheckedFolder[]): Promise<TestOutcome[]> {
  const outcomes = await Promise.all(
    checked.map(({ programs, definitions }) => {
      const fit = programs.filter(({ errors }) => errors.every(isTestFault));
      return runTests(fit.flatMap(({ rules }) => rules).sort(compareRules), definitions, { runScenario });
    }),
  );
  return outcomes.flat();
}

function outcomeLines({ rule, test, differences }: TestOutcome): string[] {
  const mark = differences.length === 0 ? '✓' : '✗';
  return [
    `${mark} ${rule.programCode}/${rule.row?.table ?? rule.key}: ${test.name}`,
    ...differences.map((difference) => `    ${difference.message}`),
  ];
}

/** `readRules` runs tests only in programs without other faults. So all faults of a program are failed tests, or none. */
function isTestFault({ messageId }: RuleFault): boolean {
  return messageId === 'ruleTests.fails';
}

/** One line for each org that was not checked. */
export function skipped(unknown: string[]): string[] {
  return unknown.map((code) => `@${code} is skipped: the source of the definitions has no such org`);
}

/** Sums a count over all folders. */
export function countInFolders(checked: CheckedFolder[], count: (folder: CheckedFolder) => number): number {
  return checked.reduce((sum, folder) => sum + count(folder), 0);
}
