import assert from 'node:assert';
import { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '../common/clock';
import { notFound } from '../common/errors';
import { collectionOf } from '../db/collections';
import { orgResource } from '../records/users/org';
import type { RulesInForce } from '../rules/check/rulesInForce';
import { indexRules, type RuleSet } from '../rules/evaluate/ruleSet';
import { logLoad } from './files/logLoad';
import { oneAtATime } from './files/oneAtATime';
import { type ReadRules, rememberedReads } from './files/rememberedReads';
import { folderOf, type RuleFolders } from './files/ruleFolders';
import type { LoadResult } from './files/ruleLoad';
import { startReload } from './files/startReload';
import { loadRules } from './loadRules';
import { needsOfRules } from './needsOfRules';
import { ruleSetResource } from './publishedRuleSet';
import { ruleIdOf } from './publishRules';

/** The rule sets of a process: what is in force, and how new files come into force. */
export interface RuleSets extends RulesInForce {
  /**
   * Loads the org's rule files and, when they are valid and changed, puts them into force before it answers.
   * @throws ServiceError 1310 when loads of other processes keep coming first
   */
  publish(org: ObjectId): Promise<LoadResult>;
  /** Loads what changed since the last start here, then on every change of the files until {@link close}. */
  start(): Promise<void>;
  /** Ends the watch and waits for loads in hand. */
  close(): Promise<void>;
}

/** What rule sets need. */
interface RuleSetOptions extends RuleFolders {
  db: Connection;
  log: Logger;
  clock: Clock;
}

/** Makes the rule sets of a process; {@link RuleSets.start} is for processes that have the rule files. */
export function createRuleSets(options: RuleSetOptions): RuleSets {
  const { db } = options;
  const compiled = compiledSets(db);
  const loads = new Set<Promise<unknown>>();
  const readRules = rememberedReads();
  const loadOrg = oneAtATime((id) => load({ ...options, readRules }, new ObjectId(id)));
  const publish = (org: ObjectId) => {
    const result = loadOrg(org.toHexString());
    loads.add(result);
    const forget = () => loads.delete(result);
    result.then(forget, forget);
    return result;
  };
  const current: RuleSets['current'] = async (org, version) =>
    version === undefined ? undefined : compiled(org, version);
  let stop = async () => {};
  return {
    publish,
    current,
    needsOf: (change) => needsOfRules(db, current, change),
    async start() {
      stop = await startReload(options, publish);
    },
    async close() {
      await stop();
      await Promise.allSettled(loads);
    },
  };
}

type LoadOptions = RuleSetOptions & { readRules: ReadRules };

async function load({ rulesDir, orgCode, log, ...tools }: LoadOptions, orgId: ObjectId): Promise<LoadResult> {
  const org = await collectionOf(tools.db, orgResource).findOne({ _id: orgId });
  if (!org) throw notFound('Org');
  const folder = folderOf({ rulesDir, orgCode }, org.code);
  const result = await loadRules({ ...tools, ...folder, author: { org: org._id, userId: org.systemUser } });
  logLoad(log, folder, result);
  return result;
}

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
