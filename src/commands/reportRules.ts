import type { RuleFault } from '../rules/source/ruleSource';
import { runTests, type TestOutcome } from '../rules/test/runTests';
import { faultLine } from '../rulesets/files/logLoad';
import type { CheckedFolder, FolderCheck } from './checkFolders';

/** The output of a command on rules. */
export interface RuleReport {
  lines: string[];
  /** The counts, in one line. */
  summary: string;
  isFine: boolean;
}

/** Reports every fault and warning with its place, then the counts. */
export function reportCheck({ checked, unknown }: FolderCheck): RuleReport {
  const errors = checked.flatMap((folder) => folder.errors);
  const warnings = checked.flatMap((folder) => folder.warnings);
  const rules = countOf(checked, (folder) => folder.rules.length);
  const files = countOf(checked, (folder) => folder.files);
  return {
    lines: [
      ...skipped(unknown),
      ...errors.map(faultLine),
      ...warnings.map((warning) => `${faultLine(warning)} (warning)`),
    ],
    summary: [
      `${plural(rules, 'rule')} in ${plural(files, 'file')}`,
      `${plural(errors.length, 'fault')}, ${plural(warnings.length, 'warning')}`,
    ].join(': '),
    isFine: errors.length === 0,
  };
}

/**
 * Reports every test with its outcome, then the counts. When files have faults other than failed tests, no test can run
 * and the report lists the faults instead.
 */
export async function reportTests(check: FolderCheck): Promise<RuleReport> {
  const outcomes = await outcomesOf(check.checked);
  const failed = outcomes.filter(({ differences }) => differences.length > 0);
  const errors = check.checked.flatMap((folder) => folder.errors);
  if (!errors.every(isTestFault)) {
    const { lines, summary } = reportCheck(check);
    return { lines, summary: `${summary}; no test ran, as tests need files without fault`, isFine: false };
  }
  const passed = outcomes.length - failed.length;
  return {
    lines: [...skipped(check.unknown), ...outcomes.flatMap(outcomeLines), ...errors.map(faultLine)],
    summary: `${plural(outcomes.length, 'test')}: ${passed} passed, ${failed.length} failed`,
    isFine: errors.length === 0,
  };
}

async function outcomesOf(checked: CheckedFolder[]): Promise<TestOutcome[]> {
  const outcomes = await Promise.all(checked.map(({ rules, definitions }) => runTests(rules, definitions)));
  return outcomes.flat();
}

function outcomeLines({ rule, test, differences }: TestOutcome): string[] {
  const mark = differences.length === 0 ? '✓' : '✗';
  return [
    `${mark} ${rule.programCode}/${rule.row?.table ?? rule.key}: ${test.name}`,
    ...differences.map((difference) => `    ${difference}`),
  ];
}

/** `readRules` runs tests only in files without other faults. So either all faults are failed tests, or none is. */
function isTestFault({ message }: RuleFault): boolean {
  return message.startsWith('test "');
}

/** One line for each org that was not checked. */
export function skipped(unknown: string[]): string[] {
  return unknown.map((code) => `@${code} is skipped: the source of the definitions has no such org`);
}

/** Sums a count over all folders. */
export function countOf(checked: CheckedFolder[], count: (folder: CheckedFolder) => number): number {
  return checked.reduce((sum, folder) => sum + count(folder), 0);
}

/** Writes a count with its noun: `1 rule`, `2 rules`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
