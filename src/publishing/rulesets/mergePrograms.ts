import { groupBy } from '#base/common/lists/groupBy';
import { compareRules, type RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import { orgRuleLimitFault } from '#engine/rules/read/orgRuleLimits';
import { faultless, folderOfFault, type ProgramRead, rootFolder, withFaults } from '#engine/rules/read/programFaults';
import type { ReadResult } from '#engine/rules/read/readRules';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import type { ProgramOutcomes } from './files/ruleLoad';
import { missingFiles } from './missingFiles';

/** What a load read, and what was in force before. */
export interface MergeInput {
  read: ReadResult;
  /** Faults found when the files were read from disk. */
  faults: readonly RuleFault[];
  /** All programs of the org. */
  programs: readonly ProgramReferences[];
  inForce: readonly RuleDefinition[];
  /** Whether to judge a program. The rules of the others stay as they are in force. */
  isTaken(code: string): boolean;
}

/** The rules to put into force, and what becomes of each program. */
export interface Merged {
  /** In rule order. */
  drafts: RuleDefinition[];
  /** Some program takes the rules of its files, or its rules end. */
  hasTaken: boolean;
  /** Codes of the programs that take the rules of their files, or end. */
  taken: ReadonlySet<string>;
  programs: readonly ProgramRead[];
  errors: RuleFault[];
  outcomes: ProgramOutcomes;
}

/**
 * Decides program by program: rules of files without a fault replace those in force, and a program with a fault keeps
 * its own. A program without files has no rules any more.
 */
export async function mergePrograms({ read, faults, programs, inForce, isTaken }: MergeInput): Promise<Merged> {
  const rulesOf = byProgram(inForce);
  const own = ({ _id }: ProgramReferences) => rulesOf.get(_id.toHexString()) ?? [];
  const known = withLostFiles({ read: withFaults(read, faults, programs), programs, inForce, isTaken });
  const withFiles = sortedCodes(known.programs);
  const ended = programs.filter(({ code }) => isTaken(code) && !withFiles.includes(code));
  const left = programs.filter((program) => !ended.includes(program)).flatMap(own);
  const taken = faultless(known.programs).filter(({ program }) => isTaken(program.code));
  const judged = withFaults(known, await orgRuleLimitFault(taken, left), programs);
  const refused = judged.programs.filter(({ errors }) => errors.length > 0);
  const published = faultless(judged.programs).filter(({ program }) => isTaken(program.code));
  const isPublished = new Map(published.map(({ program, rules }) => [program, rules]));
  const drafts = programs.flatMap(
    (program) => isPublished.get(program) ?? (ended.includes(program) ? [] : own(program)),
  );
  return {
    drafts: drafts.sort(compareRules),
    hasTaken: published.length > 0 || ended.some((program) => own(program).length > 0),
    taken: new Set([...sortedCodes(published), ...ended.map(({ code }) => code)]),
    programs: judged.programs,
    errors: judged.errors,
    outcomes: {
      published: sortedCodes(published),
      kept: sortedCodes(refused.filter(({ program }) => own(program).length > 0)),
      withoutRules: sortedCodes(refused.filter(({ program, errors }) => own(program).length === 0 && hasFiles(errors))),
    },
  };
}

function withLostFiles({ read, programs, inForce, isTaken }: Omit<MergeInput, 'faults'>): ReadResult {
  const found = new Set(sortedCodes(read.programs));
  const taken = programs.filter(({ code }) => isTaken(code));
  return withFaults(read, missingFiles(taken, found, read.strays, inForce), programs);
}

function byProgram(rules: readonly RuleDefinition[]): Map<string, RuleDefinition[]> {
  return groupBy(rules, ({ programId }) => programId.toHexString());
}

/** When the root folder cannot be read, it is unknown which programs have files. */
function hasFiles(errors: readonly RuleFault[]): boolean {
  return errors.some((fault) => folderOfFault(fault) !== rootFolder);
}

function sortedCodes(programs: readonly ProgramRead[]): string[] {
  return programs.map(({ program }) => program.code).sort();
}
