import type { RuleFault } from '../rules/source/ruleSource';
import { runTests, type TestOutcome } from '../rules/test/runTests';
import { faultLine } from '../rulesets/files/logLoad';
import type { CheckedFolder, FolderCheck } from './checkFolders';

/** Lines for people, and whether all is well. */
export interface RuleReport {
  lines: string[];
  /** Counts, in one line. */
  summary: string;
  isFine: boolean;
}

/** Every fault and warning with its place, then counts. */
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

/** Every test with what came of it, then counts; files with other faults are reported instead, as no test can run. */
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

/** `readRules` runs tests only when nothing else is wrong, so faults are all of tests, or none is. */
function isTestFault({ message }: RuleFault): boolean {
  return message.startsWith('test "');
}

/** Lines on orgs that were passed over. */
export function skipped(unknown: string[]): string[] {
  return unknown.map((code) => `@${code} is passed over: there is no such org where definitions come from`);
}

/** A count over all folders. */
export function countOf(checked: CheckedFolder[], count: (folder: CheckedFolder) => number): number {
  return checked.reduce((sum, folder) => sum + count(folder), 0);
}

/** `1 rule`, `2 rules`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
