import type { Connection } from 'mongoose';
import { runScenario } from '#activities/scenario/runScenario';
import type { Clock } from '#base/common/clock';
import { notFound, validationError } from '#base/common/errors';
import { message, pickMessage } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Author } from '#base/db/records';
import { hasLostRace, withRetries } from '#base/db/transaction';
import { noLookupTables } from '#engine/rules/lookup/lookupTable';
import { type PublishedRuleSet, ruleSetResource } from '#engine/rules/publishedRuleSet';
import { readRules } from '#engine/rules/read/readRules';
import type { Auditor } from '#platform/audit/auditor';
import { adoptScheduled } from './adoptScheduled';
import { newlySetAside, readSetAside } from './aside/setAside';
import { draftFiles, withRows } from './draftFiles';
import { loadRuleReferences } from './loadRuleReferences';
import { withLookupTables } from './lookup/withLookupTables';
import { publishRules } from './publishRules';
import { guardedRules } from './ruleSetInForce';

/** Where to roll back, and who does it. */
export interface RollbackSource {
  db: Connection;
  clock: Clock;
  author: Auditor;
}

/**
 * Puts the rules of an earlier version into force again, as a new version. They stay until the files of their program
 * change. Nothing changes when the same rules are in force.
 * @returns the number of the version in force
 * @throws ServiceError 1500 when there is no such version; 1200 when its rules no longer fit the definitions; 1310 when
 *   other publications always win
 */
export function rollBack(source: RollbackSource, version: number): Promise<number> {
  return withRetries(() => attempt(source, version), { isWorthRetrying: hasLostRace });
}

async function attempt(source: RollbackSource, version: number): Promise<number> {
  const { db, author, clock } = source;
  await adoptScheduled({ db, clock }, { org: author.org, now: clock.now() });
  const before = await guardedRules(db, author.org);
  const wanted = await readRuleSetVersion(db, author.org, version);
  const { set } = before;
  if (set?.hash === wanted.hash) return set.version;
  const programs = await requireFit(source, wanted);
  const { drafts, hash } = wanted;
  const setAside = set ? await newlySetAside(set, await readSetAside(db, set), drafts) : [];
  const rollback = { rollbackOf: version, held: programs, setAside };
  return publishRules(source, { before, load: undefined, drafts, hash, lookupTables: noLookupTables, rollback });
}

/** A stored version. @throws ServiceError 1500 when there is none */
export async function readRuleSetVersion(
  db: Connection,
  org: Author['org'],
  version: number,
): Promise<PublishedRuleSet> {
  const found = await collectionOf(db, ruleSetResource).findOne({ org, version });
  if (!found) throw notFound('RuleSet');
  return found;
}

/** Checks old rules against the present definitions; throws ServiceError 1200 when they do not fit. Returns the codes of all programs. */
export async function requireFit(
  { db, author }: RollbackSource,
  { drafts, version }: PublishedRuleSet,
): Promise<string[]> {
  const present = await loadRuleReferences(db, author.org, drafts);
  const definitions = withRows(await withLookupTables(db, author.org, present, drafts), drafts);
  const read = await readRules(draftFiles(drafts), definitions, runScenario);
  const errors = [...read.strays, ...read.errors];
  if (errors.length > 0) {
    throw validationError(
      errors.map(({ file, ...fault }) => ({
        ...message('ruleSets.inVersion', { fault: pickMessage(fault), version }),
        kind: 'rule',
        path: file,
      })),
    );
  }
  return definitions.programs.map(({ code }) => code);
}
