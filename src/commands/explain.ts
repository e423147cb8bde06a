import path from 'node:path';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { explainHistory } from '../activities/explain/explainHistory';
import type { Config } from '../backing/config';
import { ServiceError } from '../common/errors';
import { collectionOf } from '../db/collections';
import { orgResource } from '../records/users/org';
import { explainRule } from '../rules/explain/explainRule';
import type { RuleDefinition } from '../rules/format/rule';
import { didYouMean } from '../rules/source/nearest';
import { compiledSets } from '../rulesets/ruleSets';
import { checkFolders } from './checkFolders';
import { ruleReferencesFor } from './ruleReferencesFor';
import type { CommandStreams } from './runCommand';
import { CommandError, withDatabase } from './withDatabase';

type ExplainConfig = Pick<Config, 'MONGODB_URI' | 'dataDir' | 'rulesDir' | 'ORG'>;

/**
 * `npm run rules -- explain`: explains one rule of the rule files in words, or what every rule did for an activity.
 * @param what key of a rule or of a table of rules; 24 hexadecimal digits are the id of an activity
 * @throws CommandError when there is no such rule or activity
 */
export async function explain(config: ExplainConfig, what: string, { out }: CommandStreams): Promise<void> {
  const isActivity = /^[0-9a-f]{24}$/i.test(what);
  const lines = isActivity
    ? await withDatabase(config, (db) => activityLines(db, config.ORG, new ObjectId(what)))
    : await ruleLines(config, what);
  for (const line of lines) out(line);
}

async function ruleLines(config: ExplainConfig, key: string): Promise<string[]> {
  const source = await ruleReferencesFor(config);
  try {
    const rulesDir = path.resolve(config.rulesDir);
    const { checked } = await checkFolders({ rulesDir, orgCode: config.ORG }, source);
    const rules = checked.flatMap((folder) => folder.rules);
    const rows = rules.filter(({ row }) => row?.table === key);
    if (rows.length > 0) return tableLines(key, rows);
    const found = rules.filter((rule) => rule.key === key);
    if (found.length > 0) return found.flatMap((rule, n) => [...(n === 0 ? [] : ['']), ...explainRule(rule)]);
    const faults = checked.flatMap((folder) => folder.errors).length;
    const hint = faults === 0 ? '' : `; ${faults} faults in the files, see npm run rules -- check`;
    throw new CommandError(
      `No rule has the key "${key}"${didYouMean(
        key,
        rules.map((rule) => rule.key),
      )}${hint}`,
    );
  } finally {
    await source.close();
  }
}

function tableLines(key: string, rows: readonly RuleDefinition[]): string[] {
  return [
    `${key}: a table of ${rows.length} ${rows.length === 1 ? 'rule' : 'rules'}; ask for one of them by its key`,
    ...rows.map((rule) => `  ${rule.row?.file}:${rule.row?.line} ${rule.key}: ${rule.name}`),
  ];
}

async function activityLines(db: Connection, orgCode: string, id: ObjectId): Promise<string[]> {
  const org = await collectionOf(db, orgResource).findOne({ code: orgCode });
  if (!org) throw new CommandError(`There is no org ${orgCode}`);
  const { ruleSet, ruleMatch, nearestMiss, message } = await explained(db, org._id, id);
  return [
    `Activity ${id.toHexString()}, ${ruleSet === null ? 'no rule set' : `rule set ${ruleSet}`}`,
    ...(message === undefined ? [] : [message]),
    ...ruleMatch.map(({ fired, key, sentence }) => `${fired ? '✓' : '✗'} ${key}: ${sentence}`),
    ...(nearestMiss === null ? [] : [`Nearest miss: ${nearestMiss.sentence}`]),
  ];
}

async function explained(db: Connection, org: ObjectId, id: ObjectId) {
  try {
    return await explainHistory({ db, ruleSet: compiledSets(db) }, org, id);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404)
      throw new CommandError(`There is no activity ${id.toHexString()}`);
    throw error;
  }
}
