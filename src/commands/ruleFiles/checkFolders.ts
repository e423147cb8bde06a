import path from 'node:path';
import { runScenario } from '#activities/scenario/runScenario';
import { CommandError } from '#commands/base/withDatabase';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { readSourcedRules, type SourcedRules } from '#engine/rules/read/readRules';
import type { RuleFile, SourcePosition } from '#engine/rules/source/ruleSource';
import { checkRead } from '#publishing/rulesets/checkRead';
import { orgsIn } from '#publishing/rulesets/files/orgsIn';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { orgRuleFolder, type RuleFolders } from '#publishing/rulesets/files/ruleFolders';
import type { ReferenceSource } from './ruleReferencesFor';

/** The rule files of one org, read and checked. Paths in faults are relative to the working directory. */
export interface CheckedFolder extends SourcedRules {
  org: string;
  files: readonly RuleFile[];
  definitions: RuleReferences;
}

/** The result of checking a rules folder. */
export interface FolderCheck {
  checked: CheckedFolder[];
  /** Codes of orgs whose folders were not checked, because the source has no definitions of them. */
  unknown: string[];
}

/** Reads and checks the rule files of every org in a rules folder. */
export async function checkFolders(folders: RuleFolders, source: ReferenceSource): Promise<FolderCheck> {
  const checked: CheckedFolder[] = [];
  const unknown: string[] = [];
  for (const code of [folders.orgCode, ...(await orgsIn(folders.rulesDir))]) {
    const definitions = await source.of(code);
    if (definitions) checked.push(await checkFolder(code, orgRuleFolder(folders, code).folder, definitions));
    else unknown.push(code);
  }
  return { checked, unknown };
}

/** @throws CommandError when no folder that was checked has a rule file */
export function requireRuleFiles({ checked }: FolderCheck, rulesDir: string): void {
  if (checked.some(({ files, errors }) => files.length + errors.length > 0)) return;
  throw new CommandError(`No rule files in ${rulesDir}: it must hold a folder for each program, with .json files`);
}

async function checkFolder(org: string, folder: string, definitions: RuleReferences): Promise<CheckedFolder> {
  const { programs } = definitions;
  const disk = await readFiles(
    folder,
    programs.map(({ code }) => code),
  );
  const { placeOf, comparisons, ...found } = await readSourcedRules(disk.files, definitions, runScenario);
  const read = await checkRead(found, { faults: disk.faults, programs });
  const shown = <T extends SourcePosition>(at: T): T => ({
    ...at,
    file: path.relative('', path.join(folder, at.file)),
  });
  return {
    org,
    files: disk.files,
    definitions: { ...definitions, lookupTables: read.lookupTables },
    rules: read.rules,
    lookupTables: read.lookupTables,
    programs: read.programs.map((each) => ({ ...each, errors: each.errors.map(shown) })),
    errors: read.errors.map(shown),
    warnings: [...disk.strays, ...disk.warnings, ...read.warnings].map(shown),
    strays: [],
    placeOf: (rule, part) => shown(placeOf(rule, part)),
    comparisons: () => new Map([...comparisons()].map(([comparison, at]) => [comparison, shown(at)])),
  };
}
