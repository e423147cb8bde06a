import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { runScenario } from '#activities/scenario/runScenario';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences, RuleReferences } from '#engine/rules/format/ruleReferences';
import { withFaults } from '#engine/rules/read/programFaults';
import { type ReadResult, readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { checkRead } from '#publishing/rulesets/checkRead';
import { draftFiles, withRows } from '#publishing/rulesets/draftFiles';
import type { FilesRead } from '#publishing/rulesets/files/readFiles';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import { withLookupTables } from '#publishing/rulesets/lookup/withLookupTables';
import { missingFiles } from '#publishing/rulesets/missingFiles';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';

/**
 * The rules to try: files that replace all rules in force, or single rules of one program that are added to the others.
 */
export type ChangedRules =
  | ({ files: readonly RuleFile[] } & Partial<Pick<FilesRead, 'faults' | 'strays'>>)
  | { rules: readonly unknown[]; program: Pick<ProgramReferences, '_id' | 'code'> };

/** The file name that faults of single rules show. */
const sentFile = 'rules.json';

/** Checks changed rules and runs their tests, as publishing does. With `rules`, all other rules in force stay. */
export async function readChangedRules(db: Connection, org: ObjectId, changed: ChangedRules): Promise<ReadResult> {
  const current = await ruleSetInForce(db, org);
  const drafts = current?.drafts ?? [];
  const definitions = await loadRuleReferences(db, org, drafts);
  if ('files' in changed) return readFilesInPlace(changed, definitions, drafts);
  const { rules, program } = changed;
  const keys = new Set(rules.flatMap(readRuleKey));
  const isReplaced = ({ programId, key, row }: RuleDefinition) =>
    programId.equals(program._id) && (keys.has(key) || (row !== undefined && keys.has(row.table)));
  const sent = { path: `${program.code}/${sentFile}`, text: JSON.stringify(rules, null, 2) };
  const kept = drafts.filter((draft) => !isReplaced(draft));
  const known = withRows(await withLookupTables(db, org, definitions, drafts), kept);
  const read = await readRules([...draftFiles(kept, sent.path), sent], known, runScenario);
  return { ...read, rules: read.rules.map((draft) => placed(draft, drafts)) };
}

/** Publishing reads no folder without a program. A simulation that would leave out files that were given refuses them. */
async function readFilesInPlace(
  { files, faults = [], strays = [] }: Extract<ChangedRules, { files: unknown }>,
  definitions: RuleReferences,
  present: readonly RuleDefinition[],
): Promise<ReadResult> {
  const { programs } = definitions;
  const read = await checkRead(await readRules(files, definitions, runScenario), { faults, programs });
  const found = new Set(read.programs.map(({ program }) => program.code));
  return withFaults(read, [...read.strays, ...missingFiles(programs, found, strays, present)], programs);
}

function readRuleKey(rule: unknown): string[] {
  return typeof rule === 'object' && rule !== null && 'key' in rule && typeof rule.key === 'string' ? [rule.key] : [];
}

/** Gives a rule its file and position in force: they order rules of the same priority. */
function placed(draft: RuleDefinition, drafts: readonly RuleDefinition[]): RuleDefinition {
  const before = drafts.find(({ programId, key }) => programId.equals(draft.programId) && key === draft.key);
  return before ? { ...draft, file: before.file, position: before.position } : draft;
}
