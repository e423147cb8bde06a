import type { ObjectId } from 'bson';

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
}
