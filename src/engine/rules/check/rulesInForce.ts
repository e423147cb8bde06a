import type { ObjectId } from 'bson';
import type { RuleSet } from '../evaluate/ruleSet';
import type { RecordChange } from './brokenUses';
import type { RuleUse } from './ruleUses';

/** A change of a record of an org. Without `after`, the record is deleted. */
export interface NamedChange extends RecordChange {
  org: ObjectId;
  /** Name of the record's resource, such as PursePolicy. */
  model: string;
}

/** How the rules in force depend on a record that is to change. */
export interface RuleNeed {
  /** The uses that the change would break. */
  broken: readonly RuleUse[];
  /** The rule set version in force at the check. Absent when no rule can rely on the changed fields. */
  seen?: { ruleSetVersion: number | undefined; lastRuleSetVersion?: number | undefined };
}

/** Gives the rule sets that are in force, from the memory of this process. */
export interface RulesInForce {
  /** The compiled, immutable rule set of an org and version. Undefined when the org has none. */
  current(org: ObjectId, version: number | undefined): Promise<RuleSet | undefined>;
  /** Puts the scheduled rules of an org into force that are due. */
  adopt(org: ObjectId, now: Date): Promise<void>;
  /** Finds which uses a deletion or change of a record would break. */
  needsOf(change: NamedChange): Promise<RuleNeed>;
}
