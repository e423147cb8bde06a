import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { type Author, derivedId, newStamps, updateStamps } from '#base/db/records';
import { GuardFailed, inTransaction } from '#base/db/transaction';
import type { RuleDefinition } from '#engine/rules/format/rule';
import type { LookupTables } from '#engine/rules/lookup/lookupTable';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import { audit } from '#platform/audit/audit';
import type { Auditor } from '#platform/audit/auditor';
import type { Change } from '#platform/audit/change';
import { writeEvents } from '#platform/events/writeEvents';
import { toMachineClock } from '#platform/orgs/orgClock';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import type { StoredEvent } from '#records/events/event';
import { orgResource } from '#records/users/org';
import { type BeforeLoad, firstUnpublished, type LoadRecorder, type ReadFiles, writeLoad } from './files/recordLoad';
import { keepLookupTables, lookupHashes, storeLookupTables } from './lookup/lookupTableStore';
import { ruleResource } from './ruleResource';

/** A valid set of rules, and the guards that were read before its files. */
export interface NewRuleSet extends BeforeLoad {
  /** What was read from files; undefined for a rollback, which reads none. */
  seen?: ReadFiles;
  /** How the version keeps the rules of a rollback. */
  rollback?: Pick<PublishedRuleSet, 'rollbackOf' | 'scheduleOf' | 'from' | 'held' | 'setAside'>;
  /** The scheduled version that comes into force, and the codes of its programs. */
  adopted?: { version: number; programs: readonly string[] };
  /** The rules, in rule order. */
  drafts: readonly RuleDefinition[];
  /** Content hash of `drafts`. */
  hash: string;
  /** The lookup tables of programs whose files were read, by content hash. Those of earlier versions are stored. */
  lookupTables: LookupTables;
}

/** Where rules are published, and by whom; `place` is absent when no files were read. */
type Publisher = Omit<LoadRecorder, 'place' | 'author'> & Partial<Pick<LoadRecorder, 'place'>> & { author: Auditor };

/**
 * Writes the next version and its rules, and puts it into force. All of this is one transaction.
 * @returns the number of the version
 * @throws GuardFailed when another set was published in the meantime, or a definition that rules may name was removed
 */
export async function publishRules(at: Publisher, set: NewRuleSet): Promise<number> {
  const { db, author } = at;
  const now = at.clock.now();
  const version = nextVersion(set.before);
  const hashes = lookupHashes(set.drafts);
  const needed = new Map([...set.lookupTables].filter(([hash]) => hashes.includes(hash)));
  // Tables are stored before the transaction, which would be large. Without a publication they are deleted after a day.
  await storeLookupTables({ db, author, now, keptUntil: new Date(now.getTime() + dayMs) }, needed);
  const publish = async (session: ClientSession) => {
    await swapVersion(db, session, author, { ...set, version }, now);
    if (set.seen && at.place !== undefined)
      await writeLoad({ ...at, place: at.place }, session, { load: set.load, seen: set.seen });
    await keepLookupTables(db, session, author.org, hashes);
    await collectionOf(db, ruleSetResource).insertOne(buildRuleSet(author, version, set, now), { session });
    await writeRules(db, session, author, { version, drafts: set.drafts, now });
    await writeEvents(db, session, author, now, [publishedEvent(version, set)]);
    if (set.adopted) {
      const planned = { org: author.org, version: set.adopted.version };
      await collectionOf(db, ruleSetResource).updateOne(planned, { $set: { adoptedAs: version } }, { session });
    }
    await audit(db, session, author, toMachineClock(at.clock).now(), [publication(version, set)]);
  };
  await serializedPerOrg(db, author.org, () => inTransaction(db, publish));
  return version;
}

function publishedEvent(version: number, { drafts, rollback }: NewRuleSet): StoredEvent {
  const { rollbackOf } = rollback ?? {};
  const data = { version, rules: drafts.length, ...(rollbackOf === undefined ? {} : { rollbackOf }) };
  return { type: 'ruleset.published', data };
}

/** The audit entry of a version that came into force. The rules themselves are in the version. */
function publication(version: number, { before, drafts, hash, rollback = {} }: NewRuleSet): Change {
  const { rollbackOf, scheduleOf, from } = rollback;
  return {
    action: rollbackOf === undefined ? 'publish' : 'rollback',
    resource: ruleSetResource.path,
    id: String(version),
    ...(before.ruleSetVersion === undefined ? {} : { before: { version: before.ruleSetVersion } }),
    after: { version, hash, rules: drafts.length, rollbackOf, scheduleOf, from },
  };
}

/** The number of the next version. Scheduled versions have numbers too. */
export function nextVersion({ ruleSetVersion = 0, lastRuleSetVersion = 0 }: BeforeLoad['before']): number {
  return Math.max(ruleSetVersion, lastRuleSetVersion) + 1;
}

/** The id of a rule. It is the same in every version of the rule set. */
export function deriveRuleId(org: ObjectId, { programId, key }: Pick<RuleDefinition, 'programId' | 'key'>): ObjectId {
  return derivedId('rule', org, programId, key);
}

async function swapVersion(
  db: Connection,
  session: ClientSession,
  author: Author,
  { before, seen, adopted, version }: NewRuleSet & { version: number },
  now: Date,
): Promise<void> {
  const isAbsent = { $exists: false };
  const { ruleSetVersion, namesRemoved } = before;
  const guard = {
    ruleSetVersion: ruleSetVersion ?? isAbsent,
    namesRemoved: namesRemoved ?? isAbsent,
    ...(adopted ? { 'scheduledRules.version': adopted.version } : {}),
  };
  const kept = (before.unpublishedFolders ?? []).filter((code) => !adopted?.programs.includes(code));
  const unpublishedFolders = seen ? firstUnpublished(seen) : kept;
  const update = {
    $set: { ruleSetVersion: version, unpublishedFolders, ...updateStamps(author, now) },
    ...(adopted ? { $pull: { scheduledRules: { version: adopted.version } } } : {}),
  };
  const orgs = collectionOf(db, orgResource);
  const { matchedCount } = await orgs.updateOne({ _id: author.org, ...guard }, update, { session });
  if (matchedCount === 0) throw new GuardFailed('another rule set was published first, or a definition removed');
}

function buildRuleSet(author: Author, version: number, { drafts, hash, rollback }: NewRuleSet, now: Date) {
  const id = derivedId('ruleSet', author.org, version);
  return {
    ...newStamps(author, now, id),
    version,
    hash,
    publishedAt: now,
    rules: drafts.length,
    ...rollback,
    drafts: [...drafts],
  };
}

async function writeRules(
  db: Connection,
  session: ClientSession,
  author: Author,
  { version, drafts, now }: { version: number; drafts: readonly RuleDefinition[]; now: Date },
): Promise<void> {
  if (drafts.length === 0) return;
  const writes = drafts.map((draft) => {
    const { _id, org, createdAt, createdBy, ...stamps } = newStamps(author, now, deriveRuleId(author.org, draft));
    const record = ruleRecord(draft, version);
    const isSame = { $eq: ['$definition', { $literal: record.definition }] };
    const changedAt = { $cond: [isSame, { $ifNull: ['$changedAt', '$updatedAt'] }, now] };
    const made = {
      createdAt: { $ifNull: ['$createdAt', createdAt] },
      createdBy: { $ifNull: ['$createdBy', createdBy] },
    };
    const update = [{ $set: { ...literals({ ...stamps, ...record }), ...made, changedAt } }];
    return { updateOne: { filter: { _id, org }, update, upsert: true } };
  });
  await collectionOf(db, ruleResource).bulkWrite(writes, { session, ordered: false });
}

/** Values as literals: in a pipeline, a string that begins with `$` would name a field. */
function literals(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { $literal: value }]));
}

function ruleRecord(draft: RuleDefinition, version: number) {
  const { file, position: _position, programId, programCode: _code, ...definition } = draft;
  const { key, name, status } = definition;
  return {
    key,
    name,
    description: definition.description ?? '',
    program: programId,
    status,
    version,
    file,
    definition,
  };
}
