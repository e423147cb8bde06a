import { Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { instant, record } from '#base/schema/atoms';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import type { SetAside } from '#engine/rules/setAsideShape';
import type { RuleFault } from '#engine/rules/source/ruleSource';
import type { ScheduledRules } from '#records/users/org';
import { rulesOfFiles } from './aside/restoreRules';
import { idOfNamed, idOfRule, readSetAside } from './aside/setAside';
import { diffRuleSets, type RuleSetDiff, ruleSetDiffShape } from './diffRuleSets';
import { faultOrigin, fileFaultShape } from './files/fileFault';
import { lastFaults } from './files/recordLoad';
import { guardedRules } from './ruleSetInForce';

const foundFault = record({ ...fileFaultShape.properties, from: faultOrigin });

/** The answer of `GET /rulesets/current`. */
export const ruleSetStatusShape = record({
  version: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'null before the first publication' }),
  hash: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  publishedAt: Type.Unsafe<Date | null>({ type: ['string', 'null'], description: 'When it was published' }),
  rules: Type.Integer({ minimum: 0, description: 'Number of rules' }),
  rollbackOf: Type.Optional(Type.Integer({ description: 'The version whose rules a rollback took again' })),
  held: Type.Optional(Type.Array(Type.String(), { description: 'Programs of which no file changed since a rollback' })),
  files: Type.Optional({
    ...ruleSetDiffShape,
    description:
      'The rules that are set aside: what their files would change. Each stays out until its own file has it otherwise',
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
  const planned = await scheduledVersions(db, org, scheduledRules);
  const errors = faults.map((fault) => ({ ...fault, from: 'folder' as const }));
  if (!current) return { version: null, hash: null, publishedAt: null, rules: 0, errors, ...planned };
  const { version, hash, publishedAt, rules, rollbackOf, held } = current;
  const setAside = await readSetAside(db, current);
  return {
    version,
    hash,
    publishedAt,
    rules,
    errors,
    ...planned,
    ...(rollbackOf === undefined ? {} : { rollbackOf }),
    ...(held || setAside.length > 0
      ? { held: held ?? [], files: await unpublishedDifference(db, current, setAside) }
      : {}),
  };
}

/** What the files would change of the rules that are set aside. */
async function unpublishedDifference(
  db: Connection,
  { org, drafts }: PublishedRuleSet,
  setAside: readonly SetAside[],
): Promise<RuleSetDiff> {
  const aside = new Set(setAside.map(idOfNamed));
  const inForce = drafts.filter((rule) => aside.has(idOfRule(rule)));
  return diffRuleSets(inForce, await rulesOfFiles({ db, author: { org } }, setAside));
}

/** The scheduled versions, with the programs whose rules they change; nothing when none is scheduled. */
async function scheduledVersions(
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
