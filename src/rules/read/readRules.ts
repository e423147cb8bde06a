import { compareRules, type RuleDefinition } from '../format/rule';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';
import type { Comparison } from '../language/condition';
import { JsonSource } from '../source/jsonSource';
import { didYouMean } from '../source/nearest';
import { pause } from '../source/pause';
import type { JsonPath, RuleFault, RuleFile, SourcePosition } from '../source/ruleSource';
import { runTests } from '../test/runTests';
import { comparisonPositions } from './comparisonPositions';
import type { NamedEntry } from './namedConditions';
import { type LocatedRule, readProgram } from './readProgram';
import { CsvSource } from './tables/csvSource';

/** The rules of all files, in rule order. A set with errors must not be published; warnings never refuse a set. */
export interface ReadResult {
  rules: RuleDefinition[];
  errors: RuleFault[];
  warnings: RuleFault[];
}

/** Rules with their positions in the files. */
export interface SourcedRules extends ReadResult {
  /**
   * The position of a part of a rule, such as `['actions', 0]`; `[]` is the rule itself, or its row. For a missing
   * part, the position of the nearest part around it.
   */
  placeOf(rule: RuleDefinition, part: JsonPath): SourcePosition;
  /** The position of each comparison, in the order of the files. A comparison of a named condition appears once. */
  comparisons(): ReadonlyMap<Comparison, SourcePosition>;
}

/** Maximum number of rules of an org. */
export const rulesMax = 5000;

/** Maximum size of all rules that the tables of an org make, in characters. Checked before the rules are made. */
const tablesMax = 16 * 1_048_576;

/**
 * Reads and checks all rule files of an org, then runs the tests in them. One pass finds every fault; tests run only
 * when there is no other fault. CSV files contain the rows of tables. The work pauses often, so that each step takes
 * much less than a second.
 */
export async function readRules(files: readonly RuleFile[], definitions: RuleReferences): Promise<ReadResult> {
  // The result has no `placeOf`, so that the texts and parsed nodes of the files can be freed.
  const { rules, errors, warnings } = await readSourcedRules(files, definitions);
  return { rules, errors, warnings };
}

/** The same as {@link readRules}, with the position of every part of a rule. */
export async function readSourcedRules(files: readonly RuleFile[], definitions: RuleReferences): Promise<SourcedRules> {
  const { sources, csv } = await openFiles(files);
  const room = { rules: rulesMax, size: tablesMax };
  const placed: LocatedRule[] = [];
  const named: NamedEntry[] = [];
  for (const [program, own] of byProgram(sources, definitions)) {
    const programFiles = { sources: own, files: csvFiles(csv, program), room };
    const read = await readProgram(programFiles, program, definitions);
    for (const each of read.rules) placed.push(each);
    for (const each of read.named) named.push(each);
  }
  placed.slice(rulesMax, rulesMax + 1).forEach(({ source, at }) => {
    source.error(at, `this is rule ${rulesMax + 1}; an org has at most ${rulesMax}`);
  });
  for (const unused of csv.filter(({ isUsed }) => !isUsed))
    unused.warning(0, 'no table of a rule file beside it names this file');
  const all = [...sources, ...csv].sort((a, b) => (a.file.path < b.file.path ? -1 : 1)).map(({ faults }) => faults);
  if (all.every(({ count }) => count === 0)) await reportTests(placed, definitions);
  return {
    rules: placed.map(({ draft }) => draft).sort(compareRules),
    errors: all.flatMap(({ errors }) => errors.sort(byPlace)),
    warnings: all.flatMap(({ warnings }) => warnings.sort(byPlace)),
    placeOf: placeFinder(placed),
    comparisons: () => comparisonPositions([...named, ...placed]),
  };
}

function placeFinder(placed: readonly LocatedRule[]): SourcedRules['placeOf'] {
  const known = new Map(placed.map((each) => [each.draft, each]));
  return (rule, part) => {
    const own = known.get(rule);
    return own ? own.source.placeOf([...own.at, ...part]) : { file: rule.file, line: 1, column: 1 };
  };
}

async function openFiles(files: readonly RuleFile[]): Promise<{ sources: JsonSource[]; csv: CsvSource[] }> {
  const sources: JsonSource[] = [];
  const csv: CsvSource[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    await pause();
    if (isCsv(file)) csv.push(new CsvSource(file));
    else sources.push(new JsonSource(file));
  }
  return { sources, csv };
}

function isCsv({ path }: RuleFile): boolean {
  return path.endsWith('.csv');
}

function csvFiles(sources: readonly CsvSource[], { code }: ProgramReferences): Map<string, CsvSource> {
  const own = sources.filter(({ file }) => file.path.startsWith(`${code}/`));
  return new Map(own.map((source) => [source.file.path.slice(code.length + 1), source]));
}

function byProgram(sources: readonly JsonSource[], { programs }: RuleReferences): Map<ProgramReferences, JsonSource[]> {
  const grouped = new Map<ProgramReferences, JsonSource[]>();
  for (const source of sources) {
    const [folder = '', ...rest] = source.file.path.split('/');
    const program = programs.find(({ code }) => code === folder);
    const own = program && grouped.get(program);
    if (rest.length !== 1)
      source.error([], 'a rule file stands in the folder of its program, not deeper and not above');
    else if (own) own.push(source);
    else if (program) grouped.set(program, [source]);
    else
      source.error(
        [],
        `no program has the code "${folder}"${didYouMean(
          folder,
          programs.map(({ code }) => code),
        )}`,
      );
  }
  return grouped;
}

async function reportTests(placed: readonly LocatedRule[], definitions: RuleReferences): Promise<void> {
  const drafts = new Map(placed.map((each) => [each.draft, each]));
  for (const { rule, index, test, differences } of await runTests([...drafts.keys()], definitions)) {
    const place = drafts.get(rule);
    if (!place || differences.length === 0) continue;
    place.source.error([...place.at, 'tests', index], `test "${test.name}" fails: ${differences.join('; ')}`);
  }
}

function byPlace(a: RuleFault, b: RuleFault): number {
  return a.line - b.line || a.column - b.column;
}
