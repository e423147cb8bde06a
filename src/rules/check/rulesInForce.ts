import type { ObjectId } from 'bson';
import type { RuleSet } from '../evaluate/ruleSet';
import type { RecordChange } from './brokenUses';
import type { RuleUse } from './ruleUses';

/** A change of a record of an org; without `after` it is deleted. */
export interface NamedChange extends RecordChange {
  org: ObjectId;
  /** Name of its resource. */
  model: string;
}

/** What rules in force say to a change of a record. */
export interface RuleNeed {
  /** Uses that it would break. */
  broken: readonly RuleUse[];
  /** What was in force when they were looked for; absent when no rule can rely on what changes. */
  seen?: { ruleSetVersion: number | undefined };
}

/** The rule sets of a process that are in force. */
export interface RulesInForce {
  /** The compiled, immutable rule set of an org and version; undefined when the org has none. */
  current(org: ObjectId, version: number | undefined): Promise<RuleSet | undefined>;
  /** What the rules in force need of a record that is to be deleted or changed. */
  needsOf(change: NamedChange): Promise<RuleNeed>;
}
