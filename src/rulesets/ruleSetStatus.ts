import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { RuleFault } from '../rules/source/ruleSource';
import { record } from '../schema/atoms';
import { fileFaultShape } from './files/fileFault';
import { lastFaults } from './files/recordLoad';
import { inForce } from './inForce';

/** The answer of `GET /rulesets/current`. */
export const ruleSetStatusShape = record({
  version: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null before the first publication' }),
  hash: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  publishedAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], description: 'When it was published' }),
  rules: Type.Integer({ minimum: 0, description: 'Number of rules' }),
  errors: Type.Array(fileFaultShape, {
    description: 'Faults of the last load. The programs that have them keep their rules',
  }),
});

/** The rule set in force in an org, and the faults of the last load. */
export interface RuleSetStatus {
  version: number | null;
  hash: string | null;
  publishedAt: Date | null;
  rules: number;
  errors: RuleFault[];
}

/** Reads the status from the database, so that every process gives the same answer. */
export async function ruleSetStatus(db: Connection, org: ObjectId): Promise<RuleSetStatus> {
  const [current, errors] = await Promise.all([inForce(db, org), lastFaults(db, org)]);
  if (!current) return { version: null, hash: null, publishedAt: null, rules: 0, errors };
  const { version, hash, publishedAt, rules } = current;
  return { version, hash, publishedAt, rules, errors };
}
