import { calculateObjectSize, type ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '../common/clock';
import { collectionOf } from '../db/collections';
import type { Author } from '../db/records';
import { isDuplicateKey, isTransient, withRetries } from '../db/transaction';
import { orgResource } from '../records/users/org';
import type { RuleDefinition } from '../rules/format/rule';
import { pause } from '../rules/source/pause';
import type { RuleFault } from '../rules/source/ruleSource';
import { contentHash } from './files/contentHash';
import { faultOf } from './files/fileFault';
import type { ReadRules } from './files/readCache';
import { readFiles } from './files/readFiles';
import { lastLoad, recordLoad } from './files/recordLoad';
import type { RuleFolder } from './files/ruleFolders';
import type { LoadResult, RuleLoad } from './files/ruleLoad';
import { inForce } from './inForce';
import { loadRuleReferences } from './loadRuleReferences';
import type { PublishedRuleSet } from './publishedRuleSet';
import { publishRules } from './publishRules';

/** The folder to load from, and the database to publish to. */
export interface LoadSource extends RuleFolder {
  db: Connection;
  clock: Clock;
  author: Author;
  readRules: ReadRules;
}

/** Maximum size of the rules of a rule set. MongoDB allows 16 MB for the whole document. */
const draftsMaxBytes = 15 * 1_048_576;

/** Number of rules to measure between two pauses. */
const draftsAtOnce = 50;

/**
 * Loads the rule files of an org as a whole. A valid set with changed content becomes the version in force. With one
 * fault anywhere, the old set stays in force. When loads of one or several processes overlap, the later starts again.
 * @throws ServiceError 1310 when other loads always win
 */
export function loadRules(source: LoadSource): Promise<LoadResult> {
  return withRetries(() => attemptLoad(source), {
    // No clock is given, so retries have no time limit: reading thousands of rules takes longer than a transaction may.
    isWorthRetrying: (error) => isTransient(error) || isDuplicateKey(error),
  });
}

async function attemptLoad(source: LoadSource): Promise<LoadResult> {
  const { db, author, folder, place, prefix } = source;
  // The guards are read before the files and definitions, so that the commit detects every later change of a guard.
  const [before, load, namesRemoved] = await Promise.all([
    inForce(db, author.org),
    lastLoad(db, author.org, place),
    namesRemovedOf(db, author.org),
  ]);
  const { files, faults } = await readFiles(folder);
  if (files.length + faults.length === 0) return { kind: 'empty', version: before?.version, errors: [], warnings: [] };
  const read = await source.readRules(files, await loadRuleReferences(db, author.org, before?.drafts));
  const named = (fault: RuleFault) => ({ ...fault, file: prefix + fault.file });
  const errors = [...faults, ...read.errors, ...(await sizeFaults(read.rules))].map(named);
  const seen = { hash: contentHash(files), errors };
  return publishOrRecord(source, {
    before,
    load,
    namesRemoved,
    seen,
    drafts: read.rules,
    warnings: read.warnings.map(named),
  });
}

/** What one attempt has read: the rule set in force, the last load from here, and the files. */
interface Attempt {
  before: PublishedRuleSet | undefined;
  load: RuleLoad | undefined;
  namesRemoved: number | undefined;
  seen: { hash: string; errors: RuleFault[] };
  drafts: RuleDefinition[];
  warnings: RuleFault[];
}

async function publishOrRecord(source: LoadSource, attempt: Attempt): Promise<LoadResult> {
  const { before, load, namesRemoved, seen, drafts, warnings } = attempt;
  const { errors } = seen;
  // Rules with faults are not hashed: the JSON of too large rules may be longer than a string can be.
  const hash = errors.length === 0 ? contentHash(drafts) : undefined;
  if (hash !== undefined && before?.hash !== hash) {
    const version = await publishRules(source, { before: before?.version, namesRemoved, load, seen, drafts, hash });
    return { kind: 'published', version, errors, warnings };
  }
  await recordLoad(source, load, seen);
  return { kind: errors.length === 0 ? 'unchanged' : 'refused', version: before?.version, errors, warnings };
}

/** The fault of too large rules. Counting stops at the limit, since expanded named conditions can reach gigabytes. */
async function sizeFaults(drafts: RuleDefinition[]): Promise<RuleFault[]> {
  let bytes = 0;
  for (const [index, draft] of drafts.entries()) {
    if (index % draftsAtOnce === 0) await pause();
    bytes += calculateObjectSize(draft);
    if (bytes > draftsMaxBytes) {
      return [faultOf(draft.file, 'all rules together are above 15 MB, named conditions counted where they are used')];
    }
  }
  return [];
}

async function namesRemovedOf(db: Connection, org: ObjectId): Promise<number | undefined> {
  return (await collectionOf(db, orgResource).findOne({ _id: org }, { projection: { namesRemoved: 1 } }))?.namesRemoved;
}
