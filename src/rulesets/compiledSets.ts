import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { indexRules, type RuleSet } from '../rules/evaluate/ruleSet';
import { ruleSetResource } from './publishedRuleSet';
import { ruleIdOf } from './publishRules';

/** How many compiled rule sets a process keeps, over all orgs and versions. */
const setsMax = 100;

/** Gives the compiled rule set of an org and version. */
export type CompiledSets = (org: ObjectId, version: number) => Promise<RuleSet>;

/** Keeps compiled rule sets: versions are immutable, so each is read and compiled once in a process. */
export function compiledSets(db: Connection): CompiledSets {
  const sets = new LRUCache<string, Promise<RuleSet>>({ max: setsMax });
  return (org, version) => {
    const key = `${org.toHexString()} ${version}`;
    const kept = sets.get(key);
    if (kept) return kept;
    const compiled = readSet(db, org, version);
    sets.set(key, compiled);
    // What could not be read, for example while the database was away, is read again the next time.
    compiled.catch(() => sets.delete(key));
    return compiled;
  };
}

async function readSet(db: Connection, org: ObjectId, version: number): Promise<RuleSet> {
  const published = await collectionOf(db, ruleSetResource).findOne({ org, version });
  assert(published, `rule set ${version} is stored`);
  return indexRules(published.drafts.map((draft) => ({ ...draft, _id: ruleIdOf(org, draft), version })));
}
