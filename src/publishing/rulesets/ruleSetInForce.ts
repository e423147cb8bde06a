import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import { orgResource } from '#records/users/org';
import type { PublicationGuards } from './files/recordLoad';

/** The published rule set that is in force in an org; undefined before the first publication. */
export async function ruleSetInForce(db: Connection, org: ObjectId): Promise<PublishedRuleSet | undefined> {
  return (await guardedRules(db, org)).set;
}

/** The rule set in force, with the fields of its org that a publication relies on. */
export interface GuardedRules extends PublicationGuards {
  set: PublishedRuleSet | undefined;
}

/** Reads the rule set in force and, before it, the guards of a publication. */
export async function guardedRules(db: Connection, org: ObjectId): Promise<GuardedRules> {
  const projection = {
    ruleSetVersion: 1,
    namesRemoved: 1,
    unpublishedFolders: 1,
    scheduledRules: 1,
    lastRuleSetVersion: 1,
  };
  const found = await collectionOf(db, orgResource).findOne({ _id: org }, { projection });
  const { ruleSetVersion: version, namesRemoved, unpublishedFolders, scheduledRules, lastRuleSetVersion } = found ?? {};
  const set = version === undefined ? null : await collectionOf(db, ruleSetResource).findOne({ org, version });
  const guards = { ruleSetVersion: version, namesRemoved, unpublishedFolders, scheduledRules, lastRuleSetVersion };
  return { ...guards, set: set ?? undefined };
}
