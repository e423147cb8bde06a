import { message } from '#base/common/messages/message';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { fileFault } from './files/fileFault';

/**
 * The faults of programs with rules in force and without files, while a folder belongs to no program: this folder may
 * be theirs, under a wrong name. Without such a folder there is no fault, and their rules end.
 * @param found codes of the programs with files
 */
export function missingFiles(
  programs: readonly ProgramReferences[],
  found: ReadonlySet<string>,
  strays: readonly RuleFault[],
  inForce: readonly RuleDefinition[],
): RuleFault[] {
  const [stray] = strays;
  if (!stray) return [];
  const ruled = new Set(inForce.map(({ programId }) => programId.toHexString()));
  return programs
    .filter(({ _id, code }) => !found.has(code) && ruled.has(_id.toHexString()))
    .map(({ code }) => fileFault(code, message('ruleFiles.filesGone', { code, stray: stray.file })));
}
