import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import { collectionOf } from '#base/db/collections';
import { isTemporary } from '#base/db/isTemporary';
import { hasLostRace, withRetries } from '#base/db/transaction';
import { compareRules, type RuleDefinition } from '#engine/rules/format/rule';
import { noLookupTables } from '#engine/rules/lookup/lookupTable';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import type { SetAside } from '#engine/rules/setAsideShape';
import { toMachineClock } from '#platform/orgs/orgClock';
import { orgResource, type ScheduledRules } from '#records/users/org';
import { stillSame, withInForce } from './aside/keepAside';
import { idOfNamed, newlySetAside, readSetAside } from './aside/setAside';
import { contentHash } from './files/contentHash';
import { publishRules } from './publishRules';
import { type GuardedRules, guardedRules } from './ruleSetInForce';

/** The database, and a clock that is based on the machine's. */
interface Adopter {
  db: Connection;
  clock: Clock;
}

/** An org, and the instant up to which scheduled rules are due. */
interface Due {
  org: ObjectId;
  now: Date;
}

/**
 * Puts the due scheduled rules of an org into force, each as a new version: their programs get the scheduled rules, all
 * others keep theirs. Processes may do it at once; one of them publishes. Rules that cannot be put into force any more
 * are noted as failed, and the rules in force stay.
 * @returns how many were due
 */
export async function adoptScheduled(adopter: Adopter, due: Due): Promise<number> {
  for (let count = 0; ; count += 1) {
    const isDone = await withRetries(() => adoptNext(adopter, due), { isWorthRetrying: hasLostRace });
    if (isDone) return count;
  }
}

/** @returns true when nothing is due */
async function adoptNext(adopter: Adopter, { org, now }: Due): Promise<boolean> {
  const { db } = adopter;
  const before = await guardedRules(db, org);
  const [next] = before.scheduledRules ?? [];
  if (!next || next.from > now) return true;
  const planned = await collectionOf(db, ruleSetResource).findOne({ org, version: next.version });
  try {
    if (!planned) throw new Error(`rule set ${next.version} is not stored`);
    await publishPlanned(adopter, { planned, before, next, now });
  } catch (error) {
    if (hasLostRace(error) || isTemporary(error)) throw error;
    await noteFailure(db, org, next, error);
  }
  return false;
}

interface Planned {
  planned: PublishedRuleSet;
  before: GuardedRules;
  next: ScheduledRules;
  now: Date;
}

async function publishPlanned({ db, clock }: Adopter, { planned, before, next, now }: Planned): Promise<number> {
  const { org, createdBy: userId, programs = [], version } = planned;
  const { set } = before;
  const known = await readSetAside(db, set);
  const drafts = await scheduledDrafts(planned, set, known);
  const keptPrograms = [...new Set([...(set?.held ?? []), ...programs])].sort();
  const setAside = set ? await asideBySchedule(set, known, drafts) : [];
  return publishRules(
    { db, clock: { now: () => now, machine: toMachineClock(clock) }, author: { org, userId } },
    {
      before,
      load: undefined,
      drafts,
      hash: contentHash(drafts),
      lookupTables: noLookupTables,
      rollback: { scheduleOf: version, from: next.from, held: keptPrograms, setAside },
      adopted: { version, programs },
    },
  );
}

/**
 * The rules of a scheduled version for its programs, those in force for all others. What a rollback set aside since then
 * stays out, unless an earlier version as such was scheduled.
 */
async function scheduledDrafts(
  { drafts, programs = [], rollbackOf }: PublishedRuleSet,
  set: PublishedRuleSet | undefined,
  setAside: readonly SetAside[],
): Promise<RuleDefinition[]> {
  const taken = new Set(programs);
  const isTaken = ({ programCode }: RuleDefinition) => taken.has(programCode);
  const inForce = set?.drafts ?? [];
  const own = drafts.filter(isTaken);
  const lasting = setAside.filter(({ program, bySchedule }) => taken.has(program) && !bySchedule);
  const stays = rollbackOf === undefined ? await stillSame(own, lasting) : [];
  return [...withInForce(own, stays, inForce), ...inForce.filter((rule) => !isTaken(rule))].sort(compareRules);
}

/** What is set aside once a scheduled version is in force: what a rollback set aside, and what the schedule does. */
async function asideBySchedule(
  set: PublishedRuleSet,
  before: readonly SetAside[],
  drafts: readonly RuleDefinition[],
): Promise<SetAside[]> {
  const byRollback = new Set(before.filter(({ bySchedule }) => !bySchedule).map(idOfNamed));
  const all = await newlySetAside(set, before, drafts);
  return all.map((entry) => (byRollback.has(idOfNamed(entry)) ? entry : { ...entry, bySchedule: true }));
}

/** Ends a schedule that cannot come into force, so that activities continue with the rules in force. */
async function noteFailure(db: Connection, org: ObjectId, { version }: ScheduledRules, error: unknown): Promise<void> {
  const failure = String(error instanceof Error ? error.message : error).slice(0, 500);
  await collectionOf(db, ruleSetResource).updateOne({ org, version }, { $set: { failure } });
  await collectionOf(db, orgResource).updateOne({ _id: org }, { $pull: { scheduledRules: { version } } });
}
