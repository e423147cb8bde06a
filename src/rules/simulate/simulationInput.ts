import type { ObjectId } from 'bson';
import type { Rule, RuleDraft } from '../format/rule';

/** A purse policy, as far as a simulation reckons its cost. */
export interface SimulatedPurse {
  program: ObjectId;
  name: string;
  costPerPoint?: number | undefined;
}

/** What is compared: the rules in force, those in their place, and what their points cost. */
export interface SimulationInput {
  inForce: readonly RuleDraft[];
  changed: readonly Rule[];
  purses: readonly SimulatedPurse[];
}
