import type { ObjectId } from 'bson';

/** A program as rule files refer to it. */
export interface ProgramDefinition {
  _id: ObjectId;
  /** Also the name of its rule folder. */
  code: string;
  /** IANA time zone. */
  timezone: string;
  /** Names of its purse policies. */
  purses: readonly string[];
  /** Those of `purses` whose points expire by inactivity. Absent: none. */
  inactivityPurses?: readonly string[];
  /** Its tier policies with their levels. */
  tiers: readonly { name: string; levels: readonly { name: string; number: number }[] }[];
  /** Codes of its offers and rewards. */
  offers: readonly string[];
  rewards: readonly string[];
}

/** A named list as rule files refer to it. */
export interface NamedListDefinition {
  /** Hexadecimal. */
  id: string;
  name: string;
  /** What it lists, such as Product; absent when nobody said. */
  model?: string;
}

/** What exists in an org: everything a rule file may refer to. */
export interface Definitions {
  programs: readonly ProgramDefinition[];
  /** Activity types, built in and from Enums. */
  activityTypes: readonly string[];
  /** Names of all segments. */
  segments: readonly string[];
  /** Names of metrics in use that are not built in; an `addMetric` close to one, but not one, is warned of. */
  metrics: readonly string[];
  /** Absent: none. */
  namedLists?: readonly NamedListDefinition[];
  /** Those of `segments` that select members by a query; nobody can be added to them. Absent: none. */
  querySegments?: readonly string[];
}
