import type { RuleDefinition } from '../format/rule';
import type { ProgramReferences } from '../format/ruleReferences';
import type { RuleFault } from '../source/ruleSource';

/** What the rule files of one program hold. With an error, none of its rules may be published. */
export interface ProgramRead {
  program: ProgramReferences;
  /** The rules without a fault of their own, in rule order. */
  rules: readonly RuleDefinition[];
  errors: readonly RuleFault[];
}

/** The programs with files, and all of their faults. */
interface Read {
  programs: readonly ProgramRead[];
  errors: readonly RuleFault[];
}

/** The `file` of a fault that concerns the folder with all program folders. */
export const rootFolder = '.';

/** The folder that a fault concerns: the code of a program, or {@link rootFolder}. */
export function folderOfFault({ file }: Pick<RuleFault, 'file'>): string {
  return file.split('/', 1)[0] ?? '';
}

/**
 * Adds faults that were found outside the files. Each concerns the program whose folder it names; a fault of
 * {@link rootFolder} concerns every program in `all`.
 */
export function withFaults<R extends Read>(
  read: R,
  faults: readonly RuleFault[],
  all: readonly ProgramReferences[],
): R & { programs: ProgramRead[]; errors: RuleFault[] } {
  const known = new Map(read.programs.map((each) => [each.program.code, each]));
  const programs = all.flatMap((program) => {
    const before = known.get(program.code);
    const more = faults.filter((fault) => [program.code, rootFolder].includes(folderOfFault(fault)));
    if (!before && more.length === 0) return [];
    return [{ program, rules: before?.rules ?? [], errors: [...more, ...(before?.errors ?? [])] }];
  });
  return { ...read, programs, errors: [...faults, ...read.errors] };
}

/** The programs without a fault. */
export function faultless(programs: readonly ProgramRead[]): ProgramRead[] {
  return programs.filter(({ errors }) => errors.length === 0);
}
