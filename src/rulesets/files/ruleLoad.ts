import type { RuleFault } from '../../rules/source/ruleSource';
import { count, instant, list, text } from '../../schema/atoms';
import { type DocOf, defineResource } from '../../schema/resource';
import { fileFaultShape } from './fileFault';

/** Maximum number of stored faults of a refused load. */
export const faultsMax = 1000;

/**
 * The last load of an org's rule files from one place (a host and its RULES_DIR). Every process can show its faults. By
 * its hash, a start sees whether its own files have changed. `seq` is the guard against overlapping loads. No routes.
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
  // A place without loads, such as a removed container, is deleted after a year.
  indexes: [{ keys: { org: 1, loadedAt: -1 } }, { keys: { loadedAt: 1 }, expireAfterSeconds: 31_536_000 }],
});

export type RuleLoad = DocOf<typeof ruleLoadResource>;

/** The result of a load. */
export interface LoadResult {
  /** `published`: a new version. `unchanged`: the same rules. `empty`: no rule files. `refused`: files with faults. */
  kind: 'published' | 'unchanged' | 'empty' | 'refused';
  /** Version of the rule set in force after the load; undefined when there is none. */
  version: number | undefined;
  /** The faults of refused files; empty for every other kind. */
  errors: RuleFault[];
  warnings: RuleFault[];
}
