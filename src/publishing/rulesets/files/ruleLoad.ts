import { Type } from '@sinclair/typebox';
import { count, instant, list, record, text } from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import { fileFaultShape } from './fileFault';

/** Maximum number of stored faults of a load. */
export const faultsMax = 1000;

/** Maximum number of programs with files: each has a file, and an org has at most so many. */
const programsMax = 5000;

/**
 * The last load of an org's rule files from one place (a host and its RULES_DIR). Every process can show its faults. By
 * the hashes, a start sees which files have changed. `seq` is the guard against overlapping loads. No routes.
 */
export const ruleLoadResource = defineResource({
  name: 'RuleLoad',
  path: 'ruleloads',
  fields: {
    place: text(5000),
    seq: count({ description: 'Loads that changed something here' }),
    /** Absent in loads by versions of the service that knew only one hash for all files. */
    programs: Type.Optional(
      list(
        record({
          code: text(64),
          hash: text(64, { description: "Content hash of the program's files; none: it has none" }),
          isRefused: Type.Boolean(),
        }),
        programsMax,
      ),
    ),
    loadedAt: instant(),
    faults: list(fileFaultShape, faultsMax),
  },
  // A place without loads, such as a removed container, is deleted after a year.
  indexes: [{ keys: { org: 1, loadedAt: -1 } }, { keys: { loadedAt: 1 }, expireAfterSeconds: 31_536_000 }],
});

export type RuleLoad = DocOf<typeof ruleLoadResource>;

/** The files of a program at a load, by their hash, and whether they had a fault. */
export type LoadedProgram = NonNullable<RuleLoad['programs']>[number];

/** What became of the programs of a load in which some had faults. Codes, sorted. */
export interface ProgramOutcomes {
  /** Programs with the rules of their files. */
  published: string[];
  /** They have faults. Their rules in force stay. */
  kept: string[];
  /** They have faults and no rules in force. */
  withoutRules: string[];
}

/** The result of a load. */
export interface LoadResult {
  /**
   * `published`: a new version. `unchanged`: the same rules. `empty`: no rule files. `refused`: faults, and no new
   * version. A new version may have been published in spite of faults: without the programs that have them.
   */
  kind: 'published' | 'unchanged' | 'empty' | 'refused';
  /** Version of the rule set in force after the load; undefined when there is none. */
  version: number | undefined;
  errors: RuleFault[];
  warnings: RuleFault[];
  /** Present when there are `errors`. */
  programs?: ProgramOutcomes;
}
