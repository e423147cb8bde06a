import { joinMessages, message } from '#base/common/messages/message';
import { yieldNow } from '#base/common/yielding';
import { compareRules, type RuleDefinition } from '../format/rule';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';
import type { Comparison } from '../language/condition';
import { lookupLimits } from '../lookup/lookupShape';
import type { LookupTable, LookupTables } from '../lookup/lookupTable';
import { runTests } from '../ruleTests/runTests';
import type { RunScenario } from '../ruleTests/scenario';
import { JsonSource } from '../source/jsonSource';
import type { JsonPath, RuleFault, RuleFile, SourcePosition } from '../source/ruleSource';
import { comparisonPositions } from './comparisonPositions';
import { isTable } from './fileNames';
import { groupFiles } from './groupFiles';
import { lookupFiles } from './lookupEntries';
import type { NamedEntry } from './namedConditions';
import { rulesMax } from './orgRuleLimits';
import type { ProgramRead } from './programFaults';
import { type LocatedRule, readProgram } from './readProgram';
import { CsvSource, lookupCsvLimits } from './tables/csvSource';
import type { TableCapacity } from './tables/expandTable';

/**
 * The rules of all files, in rule order. A program with errors must not be published; the other programs may be.
 * Warnings never refuse a program.
 */
export interface ReadResult {
  rules: RuleDefinition[];
  /** The programs with files, by code. */
  programs: ProgramRead[];
  errors: RuleFault[];
  warnings: RuleFault[];
  /** The folders of files that belong to no program. These files were not read. */
  strays: RuleFault[];
  /** The lookup tables that the rules read, by content hash. */
  lookupTables: LookupTables;
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

/** Maximum size of the rules that the tables of a program make, in characters. Checked before the rules are made. */
const tablesMax = 16 * 1_048_576;

/** How many times the capacity of one program the tables of all programs may fill. It bounds the memory of a check. */
const fullPrograms = 4;

/**
 * Reads and checks all rule files of an org, then runs the tests in them. One pass finds every fault. The tests of a
 * program run only when its files have no other fault; the other programs do not matter. CSV files contain the rows of
 * tables. The work pauses often, so that each step takes much less than a second.
 * @param runScenario runs tests with steps; without it they fail
 */
export async function readRules(
  files: readonly RuleFile[],
  definitions: RuleReferences,
  runScenario?: RunScenario,
): Promise<ReadResult> {
  // The result has no `placeOf`, so that the contents and parsed nodes of the files can be freed.
  const {
    placeOf: _places,
    comparisons: _comparisons,
    ...result
  } = await readSourcedRules(files, definitions, runScenario);
  return result;
}

/**
 * The same as {@link readRules}, with the position of every part of a rule.
 * @param isTested tells whose tests run; default: those of all rules
 */
export async function readSourcedRules(
  files: readonly RuleFile[],
  definitions: RuleReferences,
  runScenario?: RunScenario,
  isTested: IsTested = () => true,
): Promise<SourcedRules> {
  const { byProgram, misplaced, strays } = groupFiles(files, definitions);
  const left = { rules: fullPrograms * rulesMax, size: fullPrograms * tablesMax, cells: lookupLimits.cells };
  const placed: LocatedRule[] = [];
  const named: NamedEntry[] = [];
  const programs: ProgramRead[] = [];
  const warnings: RuleFault[] = [];
  const lookupTables = new Map<string, LookupTable>();
  for (const [program, own] of byProgram) {
    const read = await readProgramFiles(program, own, { definitions, runScenario, isTested }, left);
    for (const each of read.placed) placed.push(each);
    for (const each of read.named) named.push(each);
    programs.push({ program, rules: read.placed.map(({ draft }) => draft).sort(compareRules), errors: read.errors });
    warnings.push(...read.warnings);
    for (const [hash, table] of read.lookupTables) lookupTables.set(hash, table);
  }
  return {
    rules: placed.map(({ draft }) => draft).sort(compareRules),
    programs,
    errors: [...misplaced, ...programs.flatMap(({ errors }) => errors)],
    warnings,
    strays,
    lookupTables,
    placeOf: placeFinder(placed),
    comparisons: () => comparisonPositions([...named, ...placed]),
  };
}

/** Tells whether the tests of a rule run; `all` are the rules of its program. */
export type IsTested = (rule: RuleDefinition, all: readonly RuleDefinition[]) => boolean;

/** What reading a program needs. */
interface Tools {
  definitions: RuleReferences;
  runScenario: RunScenario | undefined;
  isTested: IsTested;
}

/** Reads the files of one program and runs its tests. Subtracts the size of its tables from `left`. */
async function readProgramFiles(
  program: ProgramReferences,
  files: readonly RuleFile[],
  { definitions, runScenario, isTested }: Tools,
  left: TableCapacity,
) {
  const { sources, csv } = await openFiles(files);
  const capacity = { ...left, rules: Math.min(rulesMax, left.rules), size: Math.min(tablesMax, left.size) };
  const capacityBefore = { ...capacity };
  const tables = new Map(csv.map((source) => [source.file.path.slice(program.code.length + 1), source]));
  const read = await readProgram({ sources, files: tables, capacity }, program, definitions);
  const { rules: placed, named, lookupTables, warnings } = read;
  left.rules -= capacityBefore.rules - capacity.rules;
  left.size -= capacityBefore.size - capacity.size;
  left.cells = capacity.cells;
  placed.slice(rulesMax, rulesMax + 1).forEach(({ source, at }) => {
    source.error(at, message('ruleFiles.tooManyRulesOfOrg', { count: rulesMax + 1, max: rulesMax }));
  });
  for (const unused of csv.filter(({ isUsed }) => !isUsed)) unused.warning(0, message('ruleFiles.unusedTable'));
  const all = [...sources, ...csv].sort((a, b) => (a.file.path < b.file.path ? -1 : 1)).map(({ faults }) => faults);
  if (all.every(({ count }) => count === 0))
    await reportTests(placed, { definitions: { ...definitions, lookupTables }, runScenario, isTested });
  return {
    placed,
    named,
    lookupTables,
    errors: all.flatMap(({ errors }) => errors.sort(byPlace)),
    warnings: [...warnings, ...all.flatMap((each) => each.warnings.sort(byPlace))],
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
  for (const file of files.filter(({ path }) => !isTable(path))) {
    await yieldNow();
    sources.push(new JsonSource(file));
  }
  const lookups = lookupFiles(sources.map(({ value }) => value));
  const csv: CsvSource[] = [];
  for (const file of files.filter(({ path }) => isTable(path))) {
    await yieldNow();
    const isLookupFile = lookups.has(file.path.split('/').at(-1) ?? '');
    csv.push(await CsvSource.read(file, isLookupFile ? lookupCsvLimits : undefined));
  }
  return { sources, csv };
}

async function reportTests(
  placed: readonly LocatedRule[],
  { definitions, runScenario, isTested }: Tools,
): Promise<void> {
  const drafts = new Map(placed.map((each) => [each.draft, each]));
  const rules = [...drafts.keys()];
  const outcomes = await runTests(rules, definitions, {
    runScenario,
    of: rules.filter((rule) => isTested(rule, rules)),
  });
  for (const { rule, index, test, differences } of outcomes) {
    const place = drafts.get(rule);
    if (!place || differences.length === 0) continue;
    place.source.error(
      [...place.at, 'tests', index],
      message('ruleTests.fails', {
        test: test.name,
        differences: joinMessages('semicolon', differences),
      }),
    );
  }
}

function byPlace(a: RuleFault, b: RuleFault): number {
  return a.line - b.line || a.column - b.column;
}
