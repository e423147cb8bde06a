import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import type { ScheduledRules } from '../records/users/org';
import type { RuleDefinition } from '../rules/format/rule';
import type { RuleFault } from '../rules/source/ruleSource';
import { instant, record } from '../schema/atoms';
import { diffRuleSets, type RuleSetDiff, ruleSetDiffShape } from './diffRuleSets';
import { faultOrigin, fileFaultShape } from './files/fileFault';
import { lastFaults } from './files/recordLoad';
import { guardedRules } from './inForce';
import { ruleSetResource } from './publishedRuleSet';
import { versionOf } from './rollBack';

const foundFault = record({ ...fileFaultShape.properties, from: faultOrigin });

/** The answer of `GET /rulesets/current`. */
export const ruleSetStatusShape = record({
  version: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null before the first publication' }),
  hash: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  publishedAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], description: 'When it was published' }),
  rules: Type.Integer({ minimum: 0, description: 'Number of rules' }),
  rollbackOf: Type.Optional(Type.Integer({ description: 'The version whose rules a rollback took again' })),
  held: Type.Optional(
    Type.Array(Type.String(), { description: 'Programs that keep the rules of a rollback until their files change' }),
  ),
  files: Type.Optional({
    ...ruleSetDiffShape,
    description: 'What the files would change: the rules in force are those of a rollback',
  }),
  scheduled: Type.Optional(
    Type.Array(record({ version: Type.Integer(), from: instant(), programs: Type.Array(Type.String()) }), {
      description: 'Versions that come into force later, the earliest first',
    }),
  ),
  errors: Type.Array(foundFault, {
    description: 'Faults of the last load. The programs that have them keep their rules',
  }),
});

/** The rule set in force in an org, and the faults of the last load. */
export interface RuleSetStatus {
  version: number | null;
  hash: string | null;
  publishedAt: Date | null;
  rules: number;
  rollbackOf?: number | undefined;
  held?: string[] | undefined;
  /** Versions that come into force later, the earliest first. */
  scheduled?: { version: number; from: Date; programs: string[] }[];
  /** How the files differ from the rules in force, after a rollback. */
  files?: RuleSetDiff;
  errors: (RuleFault & { from: 'folder' })[];
}

/** Reads the status from the database, so that every process gives the same answer. */
export async function ruleSetStatus(db: Connection, org: ObjectId): Promise<RuleSetStatus> {
  const [{ set: current, scheduledRules = [] }, faults] = await Promise.all([
    guardedRules(db, org),
    lastFaults(db, org),
  ]);
  const planned = await scheduledOf(db, org, scheduledRules);
  const errors = faults.map((fault) => ({ ...fault, from: 'folder' as const }));
  if (!current) return { version: null, hash: null, publishedAt: null, rules: 0, errors, ...planned };
  const { version, hash, publishedAt, rules, rollbackOf, held, filesVersion } = current;
  const ofFiles = filesVersion === undefined ? undefined : await versionOf(db, org, filesVersion);
  const isHeld = ({ programCode }: RuleDefinition) => held?.includes(programCode) ?? false;
  return {
    ...{ version, hash, publishedAt, rules, errors, ...planned },
    ...(rollbackOf === undefined ? {} : { rollbackOf }),
    ...(ofFiles
      ? { held: held ?? [], files: diffRuleSets(current.drafts.filter(isHeld), ofFiles.drafts.filter(isHeld)) }
      : {}),
  };
}

/** The scheduled versions, with the programs whose rules they change; nothing when none is scheduled. */
async function scheduledOf(
  db: Connection,
  org: ObjectId,
  scheduled: readonly ScheduledRules[],
): Promise<Pick<RuleSetStatus, 'scheduled'>> {
  if (scheduled.length === 0) return {};
  const sets = await collectionOf(db, ruleSetResource)
    .find({ org, version: { $in: scheduled.map(({ version }) => version) } })
    .project<{ version: number; programs?: string[] }>({ version: 1, programs: 1 })
    .toArray();
  const programsOf = new Map(sets.map(({ version, programs = [] }) => [version, programs]));
  return {
    scheduled: scheduled.map(({ version, from }) => ({ version, from, programs: programsOf.get(version) ?? [] })),
  };
}
