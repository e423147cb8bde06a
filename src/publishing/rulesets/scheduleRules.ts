import type { ClientSession } from 'mongoose';
import { runScenario } from '#activities/scenario/runScenario';
import { dayMs } from '#base/common/durations';
import { invalidField, notFound, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { derivedId, newStamps } from '#base/db/records';
import { GuardFailed, hasLostRace, inTransaction, withRetries } from '#base/db/transaction';
import { compareRules, type RuleDefinition } from '#engine/rules/format/rule';
import { type LookupTables, noLookupTables } from '#engine/rules/lookup/lookupTable';
import { ruleSetResource } from '#engine/rules/publishedRuleSet';
import { orgRuleLimitFault } from '#engine/rules/read/orgRuleLimits';
import { readRules } from '#engine/rules/read/readRules';
import type { RuleFile } from '#engine/rules/source/ruleSource';
import { audit } from '#platform/audit/audit';
import { toMachineClock } from '#platform/orgs/orgClock';
import { serializedPerOrg } from '#platform/orgs/serializedPerOrg';
import { orgResource, scheduledMax } from '#records/users/org';
import { adoptScheduled } from './adoptScheduled';
import { checkMixture } from './aside/checkMixture';
import { keepAside } from './aside/keepAside';
import { readSetAside } from './aside/setAside';
import { contentHash } from './files/contentHash';
import { loadRuleReferences } from './loadRuleReferences';
import { keepLookupTables, lookupHashes, storeLookupTables } from './lookup/lookupTableStore';
import { nextVersion } from './publishRules';
import { type RollbackSource, readRuleSetVersion, requireFit } from './rollBack';
import { type GuardedRules, guardedRules } from './ruleSetInForce';

const resource = ruleSetResource.path;

/** Rules to put into force later: rule files of some programs, or an earlier version with the rules of all programs. */
export type LaterRules = { files: readonly RuleFile[] } | { version: number };

/** Batches may use versions of an org that were read an instant before, so the next instant is too early. */
const aheadMinMs = 1000;

/**
 * Schedules rules for an instant. They become a version now, and come into force with the first batch of activities
 * whose time is at or after `from`. Until then publications and rollbacks change the rules in force as usual. Nothing
 * changes when the same rules are already scheduled for this instant.
 * @returns the number of the scheduled version
 * @throws ServiceError 1200 when `from` is less than a second away, the files have faults, or too many are scheduled;
 *   1500 when there is no such version
 */
export async function scheduleRules(source: RollbackSource, rules: LaterRules, from: Date): Promise<number> {
  requireAhead(source, from);
  return withRetries(() => attempt(source, rules, from), { isWorthRetrying: hasLostRace });
}

/**
 * Makes the checks of {@link scheduleRules} without scheduling anything.
 * @throws ServiceError as {@link scheduleRules} does, except when too many are scheduled
 */
export async function checkLater(source: RollbackSource, rules: LaterRules, from: Date): Promise<void> {
  requireAhead(source, from);
  await plannedRules(source, rules, await guardedRules(source.db, source.author.org));
}

function requireAhead({ clock }: Pick<RollbackSource, 'clock'>, from: Date): void {
  const least = clock.now().getTime() + aheadMinMs;
  if (from.getTime() < least) throw invalidField('from', 'date', message('ruleSets.notLater'));
}

async function attempt(source: RollbackSource, rules: LaterRules, from: Date): Promise<number> {
  const { db, author, clock } = source;
  const now = clock.now();
  const before = await guardedRules(db, author.org);
  const { drafts, programs, lookupTables, rollbackOf } = await plannedRules(source, rules, before);
  const hash = contentHash(drafts);
  const same = await sameScheduled(db, author.org, before, { from, hash, programs });
  if (same !== undefined) return same;
  if ((before.scheduledRules ?? []).length >= scheduledMax) {
    throw invalidField('from', 'maximum', message('ruleSets.tooManyScheduled', { max: scheduledMax }));
  }
  const version = nextVersion(before);
  const hashes = lookupHashes(drafts);
  const needed = new Map([...lookupTables].filter(([hash]) => hashes.includes(hash)));
  await storeLookupTables({ db, author, now, keptUntil: new Date(now.getTime() + dayMs) }, needed);
  const schedule = async (session: ClientSession) => {
    const isAbsent = { $exists: false };
    const { ruleSetVersion = isAbsent, namesRemoved = isAbsent, lastRuleSetVersion = isAbsent } = before;
    const guard = { _id: author.org, ruleSetVersion, namesRemoved, lastRuleSetVersion };
    const update = {
      // Added to the present list: one of those read before may have been withdrawn since.
      $push: { scheduledRules: { $each: [{ version, from }], $sort: { from: 1 as const, version: 1 as const } } },
      $set: { lastRuleSetVersion: version },
    };
    const { matchedCount } = await collectionOf(db, orgResource).updateOne(guard, update, { session });
    if (matchedCount === 0) throw new GuardFailed('another rule set was published first, or a definition removed');
    await keepLookupTables(db, session, author.org, hashes);
    const stamps = newStamps(author, now, derivedId('ruleSet', author.org, version));
    const ofVersion = rollbackOf === undefined ? {} : { rollbackOf };
    const set = { version, hash, publishedAt: now, rules: drafts.length, from, programs, ...ofVersion, drafts };
    await collectionOf(db, ruleSetResource).insertOne({ ...stamps, ...set }, { session });
    const after = { version, hash, rules: drafts.length, from, programs };
    await audit(db, session, author, toMachineClock(clock).now(), [
      { action: 'schedule', resource, id: String(version), after },
    ]);
  };
  await serializedPerOrg(db, author.org, () => inTransaction(db, schedule));
  return version;
}

/** The version that is scheduled already with the same rules, programs and instant; undefined when there is none. */
async function sameScheduled(
  db: RollbackSource['db'],
  org: RollbackSource['author']['org'],
  { scheduledRules = [] }: GuardedRules,
  wanted: { from: Date; hash: string; programs: string[] },
): Promise<number | undefined> {
  const { from, hash, programs } = wanted;
  const then = scheduledRules.filter((each) => each.from.getTime() === from.getTime());
  const among = { $in: then.map(({ version }) => version) };
  return (await collectionOf(db, ruleSetResource).findOne({ org, version: among, hash, programs }))?.version;
}

/** The whole set as it would be now, and the programs whose rules it changes. */
interface Plan {
  drafts: RuleDefinition[];
  programs: string[];
  lookupTables: LookupTables;
  /** The earlier version that is scheduled as such. */
  rollbackOf?: number;
}

async function plannedRules(source: RollbackSource, rules: LaterRules, { set }: GuardedRules): Promise<Plan> {
  const { db, author } = source;
  const inForce = set?.drafts ?? [];
  if ('version' in rules) {
    const wanted = await readRuleSetVersion(db, author.org, rules.version);
    const programs = await requireFit(source, wanted);
    return { drafts: wanted.drafts, programs, lookupTables: noLookupTables, rollbackOf: rules.version };
  }
  const definitions = await loadRuleReferences(db, author.org, inForce);
  const ofFiles = await readRules(rules.files, definitions, runScenario);
  const { lookupTables } = ofFiles;
  const setAside = (await readSetAside(db, set)).filter(({ bySchedule }) => !bySchedule);
  const check = checkMixture({ db, org: author.org, definitions, lookupTables });
  const { read } = await keepAside(ofFiles, { setAside, inForce, programs: definitions.programs, check });
  const taken = new Set(read.programs.map(({ program }) => program.code));
  const others = inForce.filter(({ programCode }) => !taken.has(programCode));
  const faults = [...read.strays, ...read.errors];
  const errors = faults.length > 0 ? faults : await orgRuleLimitFault(read.programs, others);
  if (errors.length > 0) {
    throw validationError(
      errors.map(({ file, line, column, ...fault }) => ({ ...fault, kind: 'rule', path: `${file}:${line}:${column}` })),
    );
  }
  if (taken.size === 0) throw invalidField('files', 'minItems', message('ruleSets.noRuleFile'));
  const drafts = [...read.programs.flatMap((each) => each.rules), ...others].sort(compareRules);
  return { drafts, programs: [...taken].sort(), lookupTables };
}

/**
 * Withdraws a scheduled version before its instant. It stays in the list of versions, with who withdrew it and when.
 * @throws ServiceError 1500 when no such version is scheduled, also when it is in force already
 */
export async function withdrawRules({ db, author, clock }: RollbackSource, version: number): Promise<void> {
  const now = clock.now();
  await adoptScheduled({ db, clock }, { org: author.org, now });
  const withdraw = async (session: ClientSession) => {
    const { matchedCount } = await collectionOf(db, orgResource).updateOne(
      { _id: author.org, 'scheduledRules.version': version },
      { $pull: { scheduledRules: { version } } },
      { session },
    );
    if (matchedCount === 0) throw notFound('Scheduled rule set');
    const set = { withdrawnAt: now, withdrawnBy: author.userId };
    await collectionOf(db, ruleSetResource).updateOne({ org: author.org, version }, { $set: set }, { session });
    const change = { action: 'withdraw', resource, id: String(version), before: { version } };
    await audit(db, session, author, toMachineClock(clock).now(), [change]);
  };
  await serializedPerOrg(db, author.org, () => withRetries(() => inTransaction(db, withdraw), {}));
}
