import type { ObjectId } from 'bson';
import type { ClientSession, Connection } from 'mongoose';
import { collectionOf } from '../db/collections';
import { type Author, derivedId, newStamps, updateStamps } from '../db/records';
import { GuardFailed, inTransaction } from '../db/transaction';
import { orgResource } from '../records/users/org';
import type { RuleDefinition } from '../rules/format/rule';
import { type BeforeLoad, type LoadRecorder, type ReadFiles, unpublishedOf, writeLoad } from './files/recordLoad';
import { ruleSetResource } from './publishedRuleSet';
import { ruleResource } from './ruleResource';

/** A valid set of rules, and the guards that were read before its files. */
export interface NewRuleSet extends BeforeLoad {
  seen: ReadFiles;
  /** The rules, in rule order. */
  drafts: readonly RuleDefinition[];
  /** Content hash of `drafts`. */
  hash: string;
}

/**
 * Writes the next version and its rules, and puts it into force. All of this is one transaction.
 * @returns the number of the version
 * @throws GuardFailed when another set was published meanwhile, or a definition that rules may name was removed
 */
export async function publishRules(at: LoadRecorder, set: NewRuleSet): Promise<number> {
  const { db, author } = at;
  const now = at.clock.now();
  const version = (set.before.ruleSetVersion ?? 0) + 1;
  await inTransaction(db, async (session) => {
    await swapVersion(db, session, author, set, now);
    await writeLoad(at, session, set);
    await collectionOf(db, ruleSetResource).insertOne(ruleSetOf(author, version, set, now), { session });
    await writeRules(db, session, author, { version, drafts: set.drafts, now });
  });
  return version;
}

/** The id of a rule. It is the same in every version of the rule set. */
export function ruleIdOf(org: ObjectId, { programId, key }: Pick<RuleDefinition, 'programId' | 'key'>): ObjectId {
  return derivedId('rule', org, programId, key);
}

async function swapVersion(
  db: Connection,
  session: ClientSession,
  author: Author,
  { before, seen }: NewRuleSet,
  now: Date,
): Promise<void> {
  const isAbsent = { $exists: false };
  const { ruleSetVersion, namesRemoved } = before;
  const guard = { ruleSetVersion: ruleSetVersion ?? isAbsent, namesRemoved: namesRemoved ?? isAbsent };
  const unpublishedFolders = unpublishedOf(seen);
  const update = {
    $set: { ruleSetVersion: (ruleSetVersion ?? 0) + 1, unpublishedFolders, ...updateStamps(author, now) },
  };
  const orgs = collectionOf(db, orgResource);
  const { matchedCount } = await orgs.updateOne({ _id: author.org, ...guard }, update, { session });
  if (matchedCount === 0) throw new GuardFailed('another rule set was published first, or a definition removed');
}

function ruleSetOf(author: Author, version: number, { drafts, hash }: NewRuleSet, now: Date) {
  const id = derivedId('ruleSet', author.org, version);
  return { ...newStamps(author, now, id), version, hash, publishedAt: now, rules: drafts.length, drafts: [...drafts] };
}

async function writeRules(
  db: Connection,
  session: ClientSession,
  author: Author,
  { version, drafts, now }: { version: number; drafts: readonly RuleDefinition[]; now: Date },
): Promise<void> {
  if (drafts.length === 0) return;
  const writes = drafts.map((draft) => {
    const { _id, org, createdAt, createdBy, ...stamps } = newStamps(author, now, ruleIdOf(author.org, draft));
    const update = { $set: { ...stamps, ...recordOf(draft, version) }, $setOnInsert: { org, createdAt, createdBy } };
    return { updateOne: { filter: { _id }, update, upsert: true } };
  });
  await collectionOf(db, ruleResource).bulkWrite(writes, { session, ordered: false });
}

function recordOf(draft: RuleDefinition, version: number) {
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
