import { builtInMetricNames } from '#records/aggregates/metricNames';
import type { FactNames } from '../format/factDefinition';
import type { ProgramReferences, RuleReferences } from '../format/ruleReferences';

/** Everything in an org that its rule files may name. */
export type OrgNames = RuleReferences;

/** The names of all programs together: one schema serves the rule files of all of them. */
export function collectFactNames({
  programs,
  segments,
  querySegments = [],
  namedLists = [],
  codes,
}: OrgNames): FactNames {
  return {
    purses: ofPrograms(programs, ({ purses }) => purses),
    tiers: programs.flatMap(({ tiers }) => tiers),
    segments,
    querySegments,
    metrics: [...builtInMetricNames],
    namedLists,
    lookupTables: [],
    ...(codes && { codes }),
  };
}

/** The distinct names of all programs. */
export function ofPrograms(
  programs: readonly ProgramReferences[],
  namesOf: (program: ProgramReferences) => readonly string[],
): string[] {
  return [...new Set(programs.flatMap(namesOf))];
}

/** The schema of one of these names. Without names it accepts nothing: a list of no words is no JSON Schema. */
export function oneOfNames(names: readonly string[]): Record<string, unknown> {
  return names.length === 0 ? { not: {} } : { enum: [...names] };
}
