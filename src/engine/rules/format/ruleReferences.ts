import type { ObjectId } from 'bson';
import type { Offer } from '#records/offers/offer';
import type { Reward } from '#records/offers/reward';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';
import type { TierPolicy } from '#records/programs/tierPolicy';
import type { LookupTable, LookupTables } from '../lookup/lookupTable';
import type { RowOrigin } from './tableShape';

/** The definitions of a program by which tests with steps run. */
export interface ProgramRecords {
  program: Program;
  policies: readonly PursePolicy[];
  tierPolicies: readonly TierPolicy[];
  offers: readonly Offer[];
  rewards: readonly Reward[];
}

/** A program as rule files refer to it. */
export interface ProgramReferences {
  _id: ObjectId;
  /** Also the name of its rule folder. */
  code: string;
  /** IANA time zone. */
  timezone: string;
  /** Names of its purse policies. */
  purses: readonly string[];
  /** The `purses` whose points expire by inactivity. Absent: none. */
  inactivityPurses?: readonly string[];
  /** Its tier policies with their levels. */
  tiers: readonly { name: string; levels: readonly { name: string; number: number }[] }[];
  /** Codes of its offers and rewards. */
  offers: readonly string[];
  rewards: readonly string[];
  /** Absent: tests with steps cannot run. */
  records?: ProgramRecords;
  /** Lookup tables that its rules may name although no file declares them, by name. Absent: none. */
  lookupTables?: ReadonlyMap<string, LookupTable>;
  /** Rules, by key, that are rows of tables although no file has the tables. Absent: none. */
  rows?: ReadonlyMap<string, RowOrigin>;
}

/** A named list as rule files refer to it. */
export interface NamedListReference {
  /** Hexadecimal. */
  id: string;
  name: string;
  /** The resource of its records, such as Product. Absent when the list does not name one. */
  model?: string;
}

/** Everything in an org that a rule file may refer to. */
export interface RuleReferences {
  programs: readonly ProgramReferences[];
  /** Built-in activity types and those of Enums. */
  activityTypes: readonly string[];
  /** Names of all segments. */
  segments: readonly string[];
  /** Names of metrics in use that are not built in. An `addMetric` with a similar but different name gets a warning. */
  metrics: readonly string[];
  /** Absent: none. */
  namedLists?: readonly NamedListReference[];
  /** The `segments` that select members by a query. No rule can add a member to them. Absent: none. */
  querySegments?: readonly string[];
  /** The codes that activities may have; a comparison with another one never holds. Absent: unknown. */
  codes?: {
    /** Built-in channel types and those of Enums. */
    channels: readonly string[];
    /** Codes of all partners. */
    partners: readonly string[];
    /** Categories and SKUs of products. Absent: unknown. */
    categories?: readonly string[];
    skus?: readonly string[];
    /** Units of line items that Enums add to the built-in ones. Absent: unknown. */
    units?: readonly string[];
  };
  /** The contents of the lookup tables that checked rules read. Absent: none. */
  lookupTables?: LookupTables;
  /** The files of the rules in force, by `<program code> <key>` of the rule or table. Absent: none is in force. */
  files?: ReadonlyMap<string, string>;
}
