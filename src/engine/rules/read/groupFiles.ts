import { type Message, message } from '#base/common/messages/message';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';
import type { RuleFault, RuleFile } from '../source/ruleSource';
import { isHidden, isRuleFile, isTable } from './fileNames';
import { unknownFolder } from './unknownFolder';

/** The files of each program, sorted by path, and what belongs to no program. */
interface GroupedFiles {
  byProgram: ReadonlyMap<ProgramReferences, RuleFile[]>;
  /** Faults of files that are no rule files or tables of a program, by their path. */
  misplaced: RuleFault[];
  strays: RuleFault[];
}

/**
 * Groups files by program. Only files that a request sent can be misplaced: from a folder of rules, just rule files and
 * the tables beside them are read. Hidden files are ignored.
 */
export function groupFiles(files: readonly RuleFile[], { programs }: RuleReferences): GroupedFiles {
  const byProgram = new Map<ProgramReferences, RuleFile[]>();
  const misplaced: RuleFault[] = [];
  const folders = new Set<string>();
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const [folder = '', ...rest] = file.path.split('/');
    const program = programs.find(({ code }) => code === folder);
    const own = program && byProgram.get(program);
    const name = rest.at(-1) ?? folder;
    if (isHidden(name)) continue;
    const fault = placeFault(rest.length, name);
    if (fault) misplaced.push(groupFault(file, fault));
    else if (own) own.push(file);
    else if (program) byProgram.set(program, [file]);
    else folders.add(folder);
  }
  for (const [program, own] of byProgram) {
    if (own.some(({ path }) => !isTable(path))) continue;
    byProgram.delete(program);
    misplaced.push(...own.map((file) => groupFault(file, loneTable)));
  }
  const codes = programs.map(({ code }) => code);
  return { byProgram, misplaced, strays: [...folders].map((folder) => unknownFolder(folder, codes)) };
}

/** Why a file is none of a program's; undefined when it is one. `depth` is how many folders it is in. */
function placeFault(depth: number, name: string): Message | undefined {
  if (!isRuleFile(name) && !isTable(name)) {
    return message('ruleFiles.neitherRuleNorTable');
  }
  return depth === 1 ? undefined : message('ruleFiles.wrongDepth');
}

const loneTable = message('ruleFiles.tableAlone');

function groupFault({ path: file }: RuleFile, fault: Message): RuleFault {
  return { file, line: 1, column: 1, ...fault };
}
