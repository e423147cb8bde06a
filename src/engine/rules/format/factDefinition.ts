import type { TSchema } from '@sinclair/typebox';
import type { FactParams } from '../language/factParams';
import type { LookupColumn } from '../lookup/lookupTable';
import type { NamedListReference, ProgramReferences, RuleReferences } from './ruleReferences';
import type { NamedLookup } from './tableFact';

/** A fact: its description, and the shape that paths and operators are checked against. */
export interface FactDefinition {
  description: string;
  shape: TSchema;
  /** The params that it accepts. Absent: none. */
  params?: FactParams;
  /** The shape that follows from the params of a reference; undefined when they say nothing. */
  shapeWith?(params: unknown): TSchema | undefined;
  /** The columns that the keys in the params of a reference are compared with. */
  keysWith?(params: unknown): readonly LookupColumn[];
}

/** The names and levels that differ between programs. The schema for editors is made without them. */
export type FactNames = Pick<ProgramReferences, 'purses' | 'tiers'> & {
  segments: readonly string[];
  /** Those of `segments` that select members by a query. Absent: none. */
  querySegments?: readonly string[];
  /** Metrics that rules of the program count. */
  metrics: readonly string[];
  namedLists: readonly NamedListReference[];
  lookupTables: readonly NamedLookup[];
} & Pick<RuleReferences, 'codes'>;

/** No names: for uses that are the same in every program. */
export const noNames: FactNames = {
  purses: [],
  tiers: [],
  segments: [],
  metrics: [],
  namedLists: [],
  lookupTables: [],
};
