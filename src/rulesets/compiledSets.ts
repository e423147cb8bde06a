import assert from 'node:assert';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { indexRules, type RuleSet } from '../rules/evaluate/ruleSet';
import { ruleSetResource } from './publishedRuleSet';
import { ruleIdOf } from './publishRules';

/** Maximum number of compiled rule sets in the cache of a process, over all orgs and versions. */
const setsMax = 100;

/** Gives the compiled rule set of an org and version. */
export type CompiledSets = (org: ObjectId, version: number) => Promise<RuleSet>;

/** A cache of compiled rule sets. Versions are immutable, so a process reads and compiles each of them once. */
export function compiledSets(db: Connection): CompiledSets {
  const sets = new LRUCache<string, Promise<RuleSet>>({ max: setsMax });
  return (org, version) => {
    const key = `${org.toHexString()} ${version}`;
    const kept = sets.get(key);
    if (kept) return kept;
    const compiled = readSet(db, org, version);
    sets.set(key, compiled);
    // A failed read, for example while the database is unavailable, is repeated on the next call.
    compiled.catch(() => sets.delete(key));
    return compiled;
  };
}

async function readSet(db: Connection, org: ObjectId, version: number): Promise<RuleSet> {
  const published = await collectionOf(db, ruleSetResource).findOne({ org, version });
  assert(published, `rule set ${version} is stored`);
  return indexRules(published.drafts.map((draft) => ({ ...draft, _id: ruleIdOf(org, draft), version })));
}
