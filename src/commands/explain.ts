import path from 'node:path';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { explainHistory } from '#activities/explain/explainHistory';
import { ServiceError } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import type { CommandStreams } from '#commands/base/runCommand';
import { CommandError, withDatabase } from '#commands/base/withDatabase';
import { checkFolders } from '#commands/ruleFiles/checkFolders';
import { ruleReferencesFor } from '#commands/ruleFiles/ruleReferencesFor';
import { explainRule } from '#engine/rules/explain/explainRule';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { ProgramReferences } from '#engine/rules/format/ruleReferences';
import { nearest } from '#engine/rules/source/nearest';
import type { Config } from '#platform/infrastructure/config';
import { compiledSets } from '#publishing/rulesets/ruleSets';
import { orgResource } from '#records/users/org';

type ExplainConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;

/**
 * `npm run rules -- explain`: explains one rule of the rule files in words, or what every rule did for an activity.
 * @param what key of a rule or of a table of rules, or the name of a rule file; 24 hexadecimal digits are the id of an
 *   activity
 * @param showsAll for an activity: show every rule, not only those nearest to firing
 * @throws CommandError when there is no such rule, file or activity
 */
export async function explain(
  config: ExplainConfig,
  what: string,
  showsAll: boolean,
  { out }: CommandStreams,
): Promise<void> {
  const isActivity = /^[0-9a-f]{24}$/i.test(what);
  const lines = isActivity
    ? await withDatabase(config, (db) => activityLines(db, config.ORG, new ObjectId(what), showsAll))
    : await ruleLines(config, what);
  for (const line of lines) out(line);
}

async function ruleLines(config: ExplainConfig, key: string): Promise<string[]> {
  const source = await ruleReferencesFor(config);
  try {
    const rulesDir = path.resolve(config.rulesDir);
    const { checked } = await checkFolders({ rulesDir, orgCode: config.ORG }, source);
    const rules = checked.flatMap((folder) => folder.rules);
    const zones = new Map(checked.flatMap(({ definitions }) => definitions.programs.map(programZone)));
    const linesOf = (rule: RuleDefinition) => explainRule(rule, zones.get(rule.programId.toHexString()));
    const rows = rules.filter(({ row }) => row?.table === key);
    if (rows.length > 0) return tableLines(key, rows);
    const found = rules.filter((rule) => rule.key === key || isInFile(rule, key, rulesDir));
    if (found.length > 0) return found.flatMap((rule, n) => [...(n === 0 ? [] : ['']), ...linesOf(rule)]);
    const faults = checked.flatMap((folder) => folder.errors).length;
    const meant = nearest(
      key,
      rules.flatMap((rule) => [rule.key, rule.file]),
    );
    const advice =
      meant === undefined ? '; give the key of a rule or the name of its file' : ` (did you mean "${meant}"?)`;
    const hint = faults === 0 ? '' : `; ${faults} faults in the files, see npm run rules -- check`;
    throw new CommandError(`No rule or rule file is "${key}"${advice}${hint}`);
  } finally {
    await source.close();
  }
}

function programZone({ _id, timezone }: ProgramReferences): [string, string] {
  return [_id.toHexString(), timezone];
}

/** Whether a rule is in the file with this name: its path, from here or below the folder of rules, or its last part. */
function isInFile({ file, row }: RuleDefinition, name: string, rulesDir: string): boolean {
  const wantedFile = path.relative(rulesDir, path.resolve(name));
  return [file, row?.file].some(
    (own) => own !== undefined && (own === name || own === wantedFile || path.basename(own) === name),
  );
}

function tableLines(key: string, rows: readonly RuleDefinition[]): string[] {
  return [
    `${key}: a table of ${rows.length} ${rows.length === 1 ? 'rule' : 'rules'}; ask for one of them by its key`,
    ...rows.map((rule) => `  ${rule.row?.file}:${rule.row?.line} ${rule.key}: ${rule.name}`),
  ];
}

async function activityLines(db: Connection, orgCode: string, id: ObjectId, showsAll: boolean): Promise<string[]> {
  const org = await collectionOf(db, orgResource).findOne({ code: orgCode });
  if (!org) throw new CommandError(`There is no org ${orgCode}`);
  const { ruleSet, ruleMatch, omitted, nearestMiss, message } = await explained(db, org._id, id, showsAll);
  return [
    `Activity ${id.toHexString()}, ${ruleSet === null ? 'no rule set' : `rule set ${ruleSet}`}`,
    ...(message === undefined ? [] : [message]),
    ...ruleMatch.map(({ fired, key, sentence }) => `${fired ? '✓' : '✗'} ${key}: ${sentence}`),
    ...(omitted === undefined ? [] : [`… and ${omitted} rules that were farther from firing: --all shows them`]),
    ...(nearestMiss === null ? [] : [`Nearest miss: ${nearestMiss.sentence}`]),
  ];
}

async function explained(db: Connection, org: ObjectId, id: ObjectId, showsAll: boolean) {
  try {
    return await explainHistory({ db, ruleSet: compiledSets(db) }, org, id, { showsAll });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404)
      throw new CommandError(`There is no activity ${id.toHexString()}`);
    throw error;
  }
}
