import { LRUCache } from 'lru-cache';
import type { Definitions } from '../../rules/format/definitions';
import { type ReadResult, readRules } from '../../rules/read/readRules';
import type { RuleFile } from '../../rules/source/ruleSource';
import { contentHash } from './contentHash';

/** Reads and checks rule files: {@link readRules}, or one that remembers. */
export type ReadRules = typeof readRules;

/** How many results are remembered; each may be megabytes. */
const resultsMax = 5;

/**
 * A `readRules` that remembers what the same files and definitions came to: reading thousands of rules takes a second,
 * and loads that overlap or follow a needless wake-up read the same.
 */
export function rememberedReads(): ReadRules {
  const results = new LRUCache<string, ReadResult>({ max: resultsMax });
  return async (files: readonly RuleFile[], definitions: Definitions) => {
    const key = contentHash([files, definitions]);
    const result = results.get(key) ?? (await readRules(files, definitions));
    results.set(key, result);
    return result;
  };
}
