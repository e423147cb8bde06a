import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { orgResource } from '../records/users/org';
import { type PublishedRuleSet, ruleSetResource } from './publishedRuleSet';

/** The published rule set that is in force in an org; undefined before the first publication. */
export async function inForce(db: Connection, org: ObjectId): Promise<PublishedRuleSet | undefined> {
  const found = await collectionOf(db, orgResource).findOne({ _id: org }, { projection: { ruleSetVersion: 1 } });
  const version = found?.ruleSetVersion;
  if (version === undefined) return undefined;
  return (await collectionOf(db, ruleSetResource).findOne({ org, version })) ?? undefined;
}
