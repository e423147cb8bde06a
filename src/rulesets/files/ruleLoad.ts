import type { RuleFault } from '../../rules/source/ruleSource';
import { count, instant, list, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
import { fileFaultShape } from './fileFault';

/** How many faults of a refused load are kept. */
export const faultsMax = 1000;

/**
 * The last load of an org's rule files from one place (a host and its RULES_DIR): its faults, for every process to
 * show, and what was read, so that a start can tell whether its own files changed. `seq` guards it: loads that overlap
 * follow each other. No routes.
 */
export const ruleLoadResource = defineResource({
  name: 'RuleLoad',
  path: 'ruleloads',
  fields: {
    place: text(5000),
    seq: count({ description: 'Loads that changed something here' }),
    hash: text(64, { description: 'Content hash of the files read' }),
    loadedAt: instant(),
    faults: list(fileFaultShape, faultsMax),
  },
  // A place that is gone (a container of long ago) is forgotten after a year.
  indexes: [{ keys: { org: 1, loadedAt: -1 } }, { keys: { loadedAt: 1 }, expireAfterSeconds: 31_536_000 }],
});

export type RuleLoad = DocOf<typeof ruleLoadResource>;

/** What became of a load. */
export interface LoadResult {
  /** A new version, the same rules as before, no files at all, or files with faults. */
  kind: 'published' | 'unchanged' | 'empty' | 'refused';
  /** The rule set in force after it; undefined when there is none. */
  version: number | undefined;
  /** Why the files are refused; empty unless they are. */
  errors: RuleFault[];
  warnings: RuleFault[];
}
