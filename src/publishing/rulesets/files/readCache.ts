import { LRUCache } from 'lru-cache';
import { runScenario } from '#activities/scenario/runScenario';
import type { RuleReferences } from '#engine/rules/format/ruleReferences';
import { type ReadResult, readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { contentHash } from './contentHash';

/** Reads and checks rule files: {@link readRules}, or its cached form. */
export type ReadRules = (files: readonly RuleFile[], definitions: RuleReferences) => Promise<ReadResult>;

/** Maximum number of cached results. Each may be several megabytes. */
const resultsMax = 5;

/**
 * A `readRules` that caches its results by files and definitions. Reading thousands of rules takes a second.
 * Overlapping loads, and loads after a needless wake-up, read the same files.
 */
export function readCache(): ReadRules {
  const results = new LRUCache<string, ReadResult>({ max: resultsMax });
  return async (files: readonly RuleFile[], definitions: RuleReferences) => {
    const key = contentHash([files, definitions]);
    const result = results.get(key) ?? (await readRules(files, definitions, runScenario));
    results.set(key, result);
    return result;
  };
}
