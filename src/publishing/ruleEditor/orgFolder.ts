import type { ObjectId } from 'bson';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { orgRuleFolder, type RuleFolder } from '#publishing/rulesets/files/ruleFolders';
import { orgResource } from '#records/users/org';

/** The folder with the rule files of an org on this machine; it may not exist. */
export async function orgFolder(
  { db, config }: Pick<Infrastructure, 'db' | 'config'>,
  org: ObjectId,
): Promise<RuleFolder> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org }, { projection: { code: 1 } });
  if (!found) throw notFound('Org');
  return orgRuleFolder({ rulesDir: config.rulesDir, orgCode: config.ORG }, found.code);
}
