import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import { orgRuleLimitFault } from '#engine/rules/read/orgRuleLimits';
import { faultless, withFaults } from '#engine/rules/read/programFaults';
import type { ReadResult } from '#engine/rules/read/readRules';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { type AsideInput, keepAside } from './aside/keepAside';

/** What is known beside the files. */
interface Known {
  /** Faults found when the files were read from disk. */
  faults?: readonly RuleFault[];
  /** All programs of the org. */
  programs: readonly ProgramReferences[];
  /** The rules in force of the org. Those of programs with files are replaced. */
  inForce?: readonly RuleDefinition[];
  /** Rules of the files that stay out of force, and the check of the others with those in force. */
  aside?: Pick<AsideInput, 'setAside' | 'check'>;
}

/**
 * Adds the faults that reading the files alone does not find: faults of the disk, and rules beyond the limits of the
 * org.
 */
export async function checkRead(
  ofFiles: ReadResult,
  { faults = [], programs, inForce = [], aside }: Known,
): Promise<ReadResult> {
  const { read } = aside ? await keepAside(ofFiles, { ...aside, inForce, programs }) : { read: ofFiles };
  const known = withFaults(read, faults, programs);
  return withFaults(known, await orgRuleLimitFault(faultless(known.programs), inForce), programs);
}
