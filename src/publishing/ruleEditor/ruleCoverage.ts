import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { LRUCache } from 'lru-cache';
import type { Connection } from 'mongoose';
import { runScenario } from '#activities/scenario/runScenario';
import { count, integerMax, list, record } from '#base/schema/atoms';
import type { PublishedRuleSet } from '#engine/rules/publishedRuleSet';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import { coverRules } from '#engine/rules/ruleTests/coverRules';
import { type Answer, ok, type Request } from '#platform/http/route';
import { loadRuleReferences } from '#publishing/rulesets/loadRuleReferences';
import { loadLookupTables, lookupHashes } from '#publishing/rulesets/lookup/lookupTableStore';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { coverageOfRule } from './coverageOfRule';

/** The number of versions with coverage that a process caches, over all orgs. */
const keptMax = 20;

const covered = record({
  program: Type.String({ description: 'Code' }),
  key: Type.String({ description: 'Of a table: the key of its rule' }),
  tests: count(),
  isHit: Type.Boolean({ description: 'It fires in at least one test; of a table, each of its rows' }),
  conditions: count({ description: 'Its comparisons' }),
  uncovered: count({ description: 'Those that were not both true and false in tests' }),
});

type Covered = Static<typeof covered>;

/** The answer of `GET /rules/coverage`. */
export const coverageAnswer = record({
  version: Type.Union([Type.Integer({ minimum: 1, maximum: integerMax }), Type.Null()]),
  rules: list(covered, rulesMax),
});

/** A version never changes, so each process runs its tests once. */
const known = new WeakMap<Connection, LRUCache<string, Promise<Covered[]>>>();

/** `GET /rules/coverage`: which rules in force no test reaches, and how many of their conditions. */
export async function ruleCoverage({ services, principal }: Request): Promise<Answer> {
  const { db } = services;
  const { org } = principal;
  const set = await ruleSetInForce(db, org);
  if (!set) return ok({ version: null, rules: [] });
  const cache = known.get(db) ?? new LRUCache({ max: keptMax });
  known.set(db, cache);
  const key = `${org.toHexString()} ${set.version}`;
  const kept = cache.get(key) ?? measureCoverage(db, org, set);
  cache.set(key, kept);
  // A failed run, for example while the database is unavailable, is repeated on the next call.
  kept.catch(() => cache.delete(key));
  return ok({ version: set.version, rules: await kept });
}

async function measureCoverage(
  db: Connection,
  org: ObjectId,
  { drafts }: Pick<PublishedRuleSet, 'drafts'>,
): Promise<Covered[]> {
  const definitions = await loadRuleReferences(db, org, drafts);
  const lookupTables = await loadLookupTables(db, org, lookupHashes(drafts));
  const coverage = await coverRules(drafts, { ...definitions, lookupTables }, { runScenario });
  const found = new Map<string, Covered>();
  for (const rule of drafts) {
    const { isHit, conditions, uncovered } = coverageOfRule(rule, coverage);
    const key = rule.row?.table ?? rule.key;
    const id = `${rule.programCode} ${key}`;
    const before = found.get(id);
    found.set(id, {
      program: rule.programCode,
      key,
      tests: (before?.tests ?? 0) + (rule.tests?.length ?? 0),
      isHit: isHit && (before?.isHit ?? true),
      conditions: (before?.conditions ?? 0) + conditions,
      uncovered: (before?.uncovered ?? 0) + uncovered.length,
    });
  }
  return [...found.values()];
}
