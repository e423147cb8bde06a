import type { ObjectId } from 'bson';
import type { Rule } from '../format/rule';
import type { LookupTables } from '../lookup/lookupTable';

/** The fields of a purse policy that a simulation needs to compute costs. */
export interface SimulatedPurse {
  program: ObjectId;
  name: string;
  costPerPoint?: number | undefined;
}

/** The input of a simulation: the rules in force, the changed rules, and the cost of points. */
export interface SimulationInput {
  inForce: readonly Rule[];
  changed: readonly Rule[];
  /** The lookup tables that the rules of both read, by content hash. Absent: none. */
  lookupTables?: LookupTables;
  purses: readonly SimulatedPurse[];
}
