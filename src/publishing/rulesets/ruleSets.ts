import assert from 'node:assert';
import { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Clock } from '#base/common/clock';
import { notFound } from '#base/common/errors';
import { collectionOf } from '#base/db/collections';
import type { RulesInForce } from '#engine/rules/check/rulesInForce';
import { indexRules, type RuleSet } from '#engine/rules/evaluate/ruleSet';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import type { Auditor } from '#platform/audit/auditor';
import { atOrgTime } from '#platform/orgs/orgClock';
import { orgResource } from '#records/users/org';
import { adoptScheduled } from './adoptScheduled';
import { type PlannedChange, plannedChange } from './aside/plannedChange';
import { logLoad } from './files/logLoad';
import { type ReadRules, readCache } from './files/readCache';
import { orgRuleFolder, type RuleFolders } from './files/ruleFolders';
import type { LoadResult } from './files/ruleLoad';
import { serializedByKey } from './files/serializedByKey';
import { startReload } from './files/startReload';
import { type LoadSource, loadRules, planLoad } from './loadRules';
import { lookupTableCache, type ReadLookupTables } from './lookup/lookupTableCache';
import { needsOfRules } from './needsOfRules';
import { deriveRuleId } from './publishRules';

/** The rule sets of a process. Gives the set in force, and puts new files into force. */
export interface RuleSets extends RulesInForce {
  /**
   * Loads the org's rule files. The changed rules of programs without a fault are in force before this returns.
   * @param by who requested it; the audit log names the last one who did before the load begins
   * @throws ServiceError 1310 when it keeps losing to loads of other processes
   */
  publish(org: ObjectId, by?: Auditor): Promise<LoadResult>;
  /** What {@link publish} would change, with these files in place of those with the same path. Nothing is stored. */
  plan(org: ObjectId, edited?: readonly RuleFile[]): Promise<PlannedChange>;
  /** Loads the files that changed since the last load from here. Then loads on every change, until {@link close}. */
  start(): Promise<void>;
  /** The latest version that this process has used, of each org, at most of as many orgs as it remembers sets. */
  used(): { org: ObjectId; version: number }[];
  /** Ends the watch and waits for running loads. */
  close(): Promise<void>;
}

/** What {@link createRuleSets} needs. */
interface RuleSetOptions extends RuleFolders {
  db: Connection;
  log: Logger;
  clock: Clock;
}

/** Makes the rule sets of a process. Only processes that have the rule files call {@link RuleSets.start}. */
export function createRuleSets(options: RuleSetOptions): RuleSets {
  const { db } = options;
  const compiled = compiledSets(db);
  const loads = new Set<Promise<unknown>>();
  const readRules = readCache();
  const askers = new Map<string, Auditor>();
  const loadOrg = (changedOnly: boolean) =>
    serializedByKey((id) => {
      const by = askers.get(id);
      askers.delete(id);
      return load({ ...options, readRules, changedOnly, by }, new ObjectId(id));
    });
  const loaders = { all: loadOrg(false), changed: loadOrg(true) };
  const publish = (org: ObjectId, changedOnly = false, by?: Auditor) => {
    if (by) askers.set(org.toHexString(), by);
    const result = loaders[changedOnly ? 'changed' : 'all'](org.toHexString());
    loads.add(result);
    const forget = () => loads.delete(result);
    result.then(forget, forget);
    return result;
  };
  const used = new LRUCache<string, number>({ max: setsMax });
  const current: RuleSets['current'] = async (org, version) => {
    if (version === undefined) return undefined;
    const set = await compiled(org, version);
    const id = org.toHexString();
    used.set(id, Math.max(version, used.get(id) ?? 0));
    return set;
  };
  let stop = async () => {};
  return {
    publish: (org, by) => publish(org, false, by),
    async plan(org, edited) {
      const { source } = await loadSource({ ...options, readRules, changedOnly: false, by: undefined }, org);
      return plannedChange(await planLoad(source, edited));
    },
    current,
    adopt: async (org, now) => void (await adoptScheduled(options, { org, now })),
    needsOf: (change) => needsOfRules(db, current, change),
    async start() {
      stop = await startReload(options, publish);
    },
    used: () => [...used.entries()].map(([id, version]) => ({ org: new ObjectId(id), version })),
    async close() {
      await stop();
      await Promise.allSettled(loads);
    },
  };
}

type LoadOptions = RuleSetOptions & { readRules: ReadRules; changedOnly: boolean; by: Auditor | undefined };

async function load(options: LoadOptions, orgId: ObjectId): Promise<LoadResult> {
  const { source, folder } = await loadSource(options, orgId);
  const result = await loadRules(source);
  logLoad(options.log, folder, result);
  return result;
}

/** The folder of an org, and what a load of it needs. */
async function loadSource({ rulesDir, orgCode, log: _log, by, ...tools }: LoadOptions, orgId: ObjectId) {
  const org = await collectionOf(tools.db, orgResource).findOne({ _id: orgId });
  if (!org) throw notFound('Org');
  const folder = orgRuleFolder({ rulesDir, orgCode }, org.code);
  const author = by ?? { org: org._id, userId: org.systemUser };
  const source: LoadSource = { ...atOrgTime(tools, org.sandbox ?? {}), ...folder, author };
  return { source, folder };
}

/** Maximum number of compiled rule sets in the cache of a process, over all orgs and versions. */
const setsMax = 100;

/** Gives the compiled rule set of an org and version. */
export type CompiledSets = (org: ObjectId, version: number) => Promise<RuleSet>;

/** A cache of compiled rule sets. Versions are immutable, so a process reads and compiles each of them once. */
export function compiledSets(db: Connection): CompiledSets {
  const sets = new LRUCache<string, Promise<RuleSet>>({ max: setsMax });
  const tables = lookupTableCache(db);
  return (org, version) => {
    const key = `${org.toHexString()} ${version}`;
    const kept = sets.get(key);
    if (kept) return kept;
    const compiled = readSet(db, org, version, tables);
    sets.set(key, compiled);
    // A failed read, for example while the database is unavailable, is repeated on the next call.
    compiled.catch(() => sets.delete(key));
    return compiled;
  };
}

async function readSet(db: Connection, org: ObjectId, version: number, tables: ReadLookupTables): Promise<RuleSet> {
  const published = await collectionOf(db, ruleSetResource).findOne({ org, version });
  assert(published, `rule set ${version} is stored`);
  const rules = published.drafts.map((draft) => ({ ...draft, _id: deriveRuleId(org, draft), version }));
  return indexRules(rules, await tables(org, rules));
}
