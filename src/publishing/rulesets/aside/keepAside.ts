import { message, pickMessage } from '#base/common/messages/message';
import { compareRules, type RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import { type ProgramRead, withFaults } from '#engine/rules/read/programFaults';
import type { ReadResult } from '#engine/rules/read/readRules';
import { noRule, type SetAside } from '#engine/rules/setAsideShape';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { fileFault } from '../files/fileFault';
import { idOfNamed, idOfRule, ruleHashes } from './setAside';

/** What keeps rules of the files out of force. */
export interface AsideInput {
  setAside: readonly SetAside[];
  /** The rules in force of the whole org. */
  inForce: readonly RuleDefinition[];
  programs: readonly ProgramReferences[];
  /** Checks rules that come partly from the files and partly from those in force; answers messages of faults by file. */
  check(program: ProgramReferences, rules: readonly RuleDefinition[]): Promise<readonly RuleFault[]>;
}

/** Rules of files in which those set aside are as they are in force. */
export interface KeptAside<R extends ReadResult> {
  read: R;
  /** What stays set aside in the programs that were read. */
  stays: SetAside[];
}

/**
 * Puts rules in force in place of the rules of files that were set aside and are still as they were then. The mixture is
 * checked, and refused as faults of its program when it does not hold together. A program with faults stays as it is.
 */
export async function keepAside<R extends ReadResult>(
  read: R,
  { setAside, inForce, programs, check }: AsideInput,
): Promise<KeptAside<R>> {
  if (setAside.length === 0) return { read, stays: [] };
  const mixed: ProgramRead[] = [];
  const stays: SetAside[] = [];
  const faults: RuleFault[] = [];
  const warnings: RuleFault[] = [];
  for (const each of read.programs) {
    const own = setAside.filter(({ program }) => program === each.program.code);
    const same = each.errors.length > 0 ? own : await stillSame(each.rules, own);
    stays.push(...same);
    if (same.length === 0 || each.errors.length > 0) mixed.push(each);
    else {
      const rules = withInForce(each.rules, same, inForce);
      mixed.push({ ...each, rules });
      warnings.push(...same.flatMap((entry) => asideWarning(entry, each.rules, rules)));
      faults.push(...(await check(each.program, rules)).map(asideFault));
    }
  }
  const withWarnings = { ...read, programs: mixed, warnings: [...read.warnings, ...warnings] };
  return { read: withFaults(withWarnings, faults, programs), stays };
}

/** Says at the file of a rule, or of the one in force, that they differ. */
function asideWarning(
  { program, key, hash }: SetAside,
  ofFiles: readonly RuleDefinition[],
  mixed: readonly RuleDefinition[],
): RuleFault[] {
  const rule = (hash === noRule ? mixed : ofFiles).find((each) => each.key === key);
  if (!rule) return [];
  const restore = `put it back by: rules restore ${program}/${key}`;
  const fault =
    hash === noRule
      ? message('ruleFiles.inForceSinceRollback', { key, restore })
      : message('ruleFiles.rolledBack', { key, restore });
  return [fileFault(rule.file, fault)];
}

/** Of the rules that were set aside, those that these rules of the files have as they were then. */
export async function stillSame(rules: readonly RuleDefinition[], setAside: readonly SetAside[]): Promise<SetAside[]> {
  if (setAside.length === 0) return [];
  const wanted = new Set(setAside.map(idOfNamed));
  const hashes = await ruleHashes(rules.filter((rule) => wanted.has(idOfRule(rule))));
  return setAside.filter((entry) => (hashes.get(idOfNamed(entry)) ?? noRule) === entry.hash);
}

/** Rules in which those set aside are as they are in force. */
export function withInForce(
  rules: readonly RuleDefinition[],
  setAside: readonly SetAside[],
  inForce: readonly RuleDefinition[],
): RuleDefinition[] {
  const aside = new Set(setAside.map(idOfNamed));
  const isAside = (rule: RuleDefinition) => aside.has(idOfRule(rule));
  return [...rules.filter((rule) => !isAside(rule)), ...inForce.filter(isAside)].sort(compareRules);
}

function asideFault({ file, ...fault }: RuleFault): RuleFault {
  return fileFault(file, message('ruleFiles.withRulesOfRollback', { fault: pickMessage(fault) }));
}
