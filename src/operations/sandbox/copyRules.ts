import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Clock } from '#base/common/clock';
import type { Auditor } from '#platform/audit/auditor';
import { contentHash } from '#publishing/rulesets/files/contentHash';
import { guardedRules, inForce } from '#publishing/rulesets/inForce';
import { loadLookupTables, lookupHashes } from '#publishing/rulesets/lookup/lookupTableStore';
import { publishRules } from '#publishing/rulesets/publishRules';
import { type CopiedIds, withIds } from './copyDefinitions';

/** Where the copied rules of an org come from, as its record of loaded files says. */
const place = 'clone';

/**
 * Puts the rules that are in force in an org into force in its copy. No folder is needed for them: as after a rollback,
 * the rules of a program stay until files of it appear in the folder of the new org.
 * @returns the number of copied rules
 */
export async function copyRules(
  { db, clock, author }: { db: Connection; clock: Clock; author: Auditor },
  from: ObjectId,
  ids: CopiedIds,
): Promise<number> {
  const set = await inForce(db, from);
  if (!set) return 0;
  const drafts = set.drafts.map((draft) => withIds(draft, ids));
  const lookupTables = await loadLookupTables(db, from, lookupHashes(drafts));
  const held = [...new Set(drafts.map(({ programCode }) => programCode))].sort();
  const rollback = held.length > 0 ? { held, setAside: [] } : {};
  const before = await guardedRules(db, author.org);
  const seen = { programs: [], errors: [], unpublished: [] };
  await publishRules(
    { db, clock, author, place },
    { before, load: undefined, seen, drafts, hash: contentHash(drafts), lookupTables, rollback },
  );
  return drafts.length;
}
