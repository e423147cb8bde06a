import type { ObjectId } from 'bson';
import type { Rule, RuleDefinition } from '../format/rule';

/** The fields of a purse policy that a simulation needs to compute costs. */
export interface SimulatedPurse {
  program: ObjectId;
  name: string;
  costPerPoint?: number | undefined;
}

/** The input of a simulation: the rules in force, the changed rules, and the cost of points. */
export interface SimulationInput {
  inForce: readonly RuleDefinition[];
  changed: readonly Rule[];
  purses: readonly SimulatedPurse[];
}
