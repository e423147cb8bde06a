import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { createOrg, type NewOrg } from '#access/users/createOrg';
import type { Clock } from '#base/common/clock';
import { ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import type { Auditor } from '#platform/audit/auditor';
import { orgClock } from '#platform/orgs/orgClock';
import { countDefinitionChange } from '#platform/orgs/writeRecord';
import { contentHash } from '#publishing/rulesets/files/contentHash';
import { loadLookupTables, lookupHashes } from '#publishing/rulesets/lookup/lookupTableStore';
import { publishRules } from '#publishing/rulesets/publishRules';
import { guardedRules, ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { type Org, orgResource } from '#records/users/org';
import { type CopiedIds, copyDefinitions, withIds } from './copyDefinitions';

/** Where the copied rules of an org come from, as its record of loaded files says. */
const place = 'clone';

/**
 * Puts the rules that are in force in an org into force in its copy. No folder is needed for them: as after a rollback,
 * the rules of a program stay until files of it appear in the folder of the new org.
 * @returns the number of copied rules
 */
async function copyRules(
  { db, clock, author }: { db: Connection; clock: Clock; author: Auditor },
  from: ObjectId,
  ids: CopiedIds,
): Promise<number> {
  const set = await ruleSetInForce(db, from);
  if (!set) return 0;
  const drafts = set.drafts.map((draft) => withIds(draft, ids));
  const lookupTables = await loadLookupTables(db, from, lookupHashes(drafts));
  const codes = [...new Set(drafts.map(({ programCode }) => programCode))].sort();
  const rollback = codes.length > 0 ? { held: codes, setAside: [] } : {};
  const before = await guardedRules(db, author.org);
  const seen = { programs: [], errors: [], unpublished: [] };
  await publishRules(
    { db, clock, author, place },
    { before, load: undefined, seen, drafts, hash: contentHash(drafts), lookupTables, rollback },
  );
  return drafts.length;
}

/** What to clone, and the org to make. */
export interface Clone {
  from: Org;
  made: Omit<NewOrg, 'sandbox' | 'clonedFrom'>;
  onCopied(what: string, count: number): void;
}

/**
 * Makes a sandbox with the definitions of an org and the rules in force there. It has one user, the admin, and no
 * members or data of members. Until everything is copied, nobody writes in it.
 * @throws the driver's duplicate key error when the code or the username is taken; ServiceError 1280 when definitions
 *   of the org were changed in the meantime: then the sandbox is unfinished and has to be removed
 */
export async function cloneOrg(
  { db, clock }: { db: Connection; clock: Clock },
  { from, made, onCopied }: Clone,
): Promise<Org> {
  const now = clock.now();
  const sandbox = { aheadMs: from.sandbox?.aheadMs ?? 0, work: 'clone' as const };
  const org = await createOrg(db, { ...made, sandbox, clonedFrom: from.code }, now);
  const author = { org: org._id, userId: org.systemUser, via: 'host' as const };
  const before = await readDefinitionsState(db, from);
  const ids = await copyDefinitions(db, from._id, author, now, onCopied);
  const rules = await copyRules({ db, clock: orgClock(clock, org.sandbox ?? {}), author }, from._id, ids);
  onCopied('rules', rules);
  if ((await readDefinitionsState(db, from)) !== before) throw changedMeanwhile(from);
  await countDefinitionChange(db, org._id);
  await collectionOf(db, orgResource).updateOne({ _id: org._id }, { $unset: { 'sandbox.work': '' } });
  return org;
}

async function readDefinitionsState(db: Connection, { _id }: Org): Promise<string> {
  const found = await collectionOf(db, orgResource).findOne({ _id });
  return `${found?.definitionsVersion} ${found?.ruleSetVersion}`;
}

function changedMeanwhile({ code }: Org): ServiceError {
  return new ServiceError('versionDiffers', message('sandbox.changedWhileCopied', { code }));
}
