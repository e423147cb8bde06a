import type { ObjectId } from 'bson';
import { runScenarioIn } from '#activities/scenario/runScenario';
import { message } from '#base/common/messages/message';
import type { Language } from '#base/words/language';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { type IsTested, readSourcedRules, type SourcedRules } from '#engine/rules/read/readRules';
import type { RuleFault, RuleFile } from '#engine/rules/source/ruleSource';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { checkMixture } from '#publishing/rulesets/aside/checkMixture';
import { readSetAside } from '#publishing/rulesets/aside/setAside';
import { checkRead } from '#publishing/rulesets/checkRead';
import { draftFiles, withRows } from '#publishing/rulesets/draftFiles';
import { fileFault } from '#publishing/rulesets/files/fileFault';
import { readFiles } from '#publishing/rulesets/files/readFiles';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import { withLookupTables } from '#publishing/rulesets/lookup/withLookupTables';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { type EditedFile, pathProgramCode } from './editedFiles';
import { orgFolder } from './orgFolder';

/** What a load would read of the programs of changed files. */
export interface EditedRules extends SourcedRules {
  definitions: RuleReferences;
  /** The rules in force of the whole org. */
  inForce: readonly RuleDefinition[];
}

/**
 * Reads and checks the programs of changed files as a load would, if they were in the folder of rules, and runs all
 * tests of these programs. If this machine has no files of a program, its other rules are the ones in force.
 * @param tests tells which tests run (default: all), and the language of the reasons of their steps
 */
export async function readEdited(
  services: Pick<Infrastructure, 'db' | 'config'>,
  org: ObjectId,
  edited: readonly EditedFile[],
  { isTested, language = 'en' }: { isTested?: IsTested; language?: Language } = {},
): Promise<EditedRules> {
  const { db } = services;
  const set = await ruleSetInForce(db, org);
  const drafts = set?.drafts ?? [];
  const definitions = await loadRuleReferences(db, org, drafts);
  const known = new Set(definitions.programs.map(({ code }) => code));
  const codes = [...new Set(edited.map(({ path }) => pathProgramCode(path)))].filter((code) => known.has(code));
  const { folder } = await orgFolder(services, org);
  const disk = await readFiles(folder, codes);
  const onDisk = new Set(disk.files.map(({ path }) => pathProgramCode(path)));
  const isEdited = new Set(edited.map(({ path }) => path));
  const kept = drafts.filter(
    ({ programCode, file }) => codes.includes(programCode) && !onDisk.has(programCode) && !isEdited.has(file),
  );
  const files: RuleFile[] = [...disk.files.filter(({ path }) => !isEdited.has(path)), ...draftFiles(kept), ...edited];
  const completed =
    kept.length > 0 ? withRows(await withLookupTables(db, org, definitions, drafts), kept) : definitions;
  const read = await readSourcedRules(files, completed, runScenarioIn(language), isTested);
  const { programs } = definitions;
  const check = checkMixture({ db, org, definitions, lookupTables: read.lookupTables });
  const aside = { setAside: await readSetAside(db, set), check };
  const checked = await checkRead(read, { faults: disk.faults, programs, inForce: drafts, aside });
  const strays = edited.filter(({ path }) => !known.has(pathProgramCode(path))).map(strayFault);
  return { ...read, ...checked, errors: [...strays, ...checked.errors], definitions: completed, inForce: drafts };
}

function strayFault({ path }: EditedFile): RuleFault {
  return fileFault(path, message('ruleFiles.noProgram', { code: pathProgramCode(path) }));
}
