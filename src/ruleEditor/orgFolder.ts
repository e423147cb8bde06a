import type { ObjectId } from 'bson';
import type { Backing } from '../backing/backing';
import { notFound } from '../common/errors';
import { collectionOf } from '../db/collections';
import { orgResource } from '../records/users/org';
import { folderOf, type RuleFolder } from '../rulesets/files/ruleFolders';

/** The folder with the rule files of an org on this machine; it may not exist. */
export async function orgFolder({ db, config }: Pick<Backing, 'db' | 'config'>, org: ObjectId): Promise<RuleFolder> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org }, { projection: { code: 1 } });
  if (!found) throw notFound('Org');
  return folderOf({ rulesDir: config.rulesDir, orgCode: config.ORG }, found.code);
}
