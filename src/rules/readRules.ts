import type { Definitions, ProgramDefinition } from './definitions';
import { didYouMean } from './nearest';
import { pause } from './pause';
import { type PlacedDraft, readProgram } from './readProgram';
import { compareRules, type RuleDraft } from './rule';
import { RuleSource } from './ruleSource';
import { runTests } from './runTests';

/** A rule file as read from disk: its path below the org's rule folder, `<program code>/<name>.json`. */
export interface RuleFile {
  path: string;
  text: string;
}

/** What is wrong with a rule file, and where: lines and columns count from 1, columns in UTF-16 units. */
export interface RuleFault {
  file: string;
  line: number;
  column: number;
  message: string;
}

/** The rules of all files in rule order; a set with errors must not be published. Warnings never refuse a set. */
export interface ReadResult {
  rules: RuleDraft[];
  errors: RuleFault[];
  warnings: RuleFault[];
}

/** Most rules an org may have. */
const rulesMax = 5000;

/**
 * Reads and checks all rule files of an org, then runs the tests that stand in them (DESIGN 8, Loading). Every fault
 * is found in one pass; tests run when nothing else is wrong. Works in steps of well below a second, with pauses.
 */
export async function readRules(files: readonly RuleFile[], definitions: Definitions): Promise<ReadResult> {
  const sources: RuleSource[] = [];
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    await pause();
    sources.push(new RuleSource(file));
  }
  const placed: PlacedDraft[] = [];
  for (const [program, own] of byProgram(sources, definitions)) {
    for (const each of await readProgram(own, program, definitions)) placed.push(each);
  }
  placed.slice(rulesMax, rulesMax + 1).forEach(({ source, at }) => {
    source.error(at, `this is rule ${rulesMax + 1}; an org has at most ${rulesMax}`);
  });
  if (sources.every(({ errors }) => errors.length === 0)) await reportTests(placed, definitions);
  return {
    rules: placed.map(({ draft }) => draft).sort(compareRules),
    errors: sources.flatMap(({ errors }) => errors.sort(byPlace)),
    warnings: sources.flatMap(({ warnings }) => warnings.sort(byPlace)),
  };
}

function byProgram(sources: readonly RuleSource[], { programs }: Definitions): Map<ProgramDefinition, RuleSource[]> {
  const grouped = new Map<ProgramDefinition, RuleSource[]>();
  for (const source of sources) {
    const [folder = '', ...rest] = source.file.path.split('/');
    const program = programs.find(({ code }) => code === folder);
    if (rest.length !== 1)
      source.error([], 'a rule file stands in the folder of its program, not deeper and not above');
    else if (program) grouped.set(program, [...(grouped.get(program) ?? []), source]);
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

async function reportTests(placed: readonly PlacedDraft[], definitions: Definitions): Promise<void> {
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
