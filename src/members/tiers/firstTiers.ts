import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { collectionOf } from '#base/db/collections';
import { climb, emptyLadder } from '#engine/tiers/ladder';
import { type MemberTiers, nextTierDue, shownTiers, storedLadder, withLadder } from '#engine/tiers/memberTiers';
import type { Member } from '#records/members/member';
import { programResource } from '#records/programs/program';
import { type TierPolicy, tierPolicyResource } from '#records/programs/tierPolicy';

/** The tiers of a new member of a program: the levels whose threshold is 0 or less. */
export interface FirstTiers {
  fields: Pick<Member, 'tiers'> & Partial<Pick<Member, 'ladders' | 'nextDue'>>;
  changes: MemberTiers['changes'];
}

/** Computes the tiers of a new member of a program. */
export async function firstTiers(db: Connection, org: ObjectId, programId: ObjectId, now: Date): Promise<FirstTiers> {
  const policies = await collectionOf(db, tierPolicyResource).find({ org, program: programId }).toArray();
  const program = policies.length > 0 && (await collectionOf(db, programResource).findOne({ org, _id: programId }));
  if (!program) return { fields: { tiers: [] }, changes: [] };
  return grantFirstTiers(policies, program.timezone, now);
}

/** The tiers of a new member under these policies. */
export function grantFirstTiers(policies: readonly TierPolicy[], timezone: string, now: Date): FirstTiers {
  let book: MemberTiers = { ladders: [], changes: [] };
  for (const policy of policies) {
    if (!policy.basis) continue;
    const ladder = climb(emptyLadder({ policy }), 0, { policy, timezone, now, enrolledAt: now });
    book = withLadder(book, ladder, { policy, why: 'reached' });
  }
  const nextDue = nextTierDue(book, policies);
  const ladders = book.ladders.map(storedLadder);
  const tiers = shownTiers(book, policies, []);
  return { fields: { tiers, ladders, ...(nextDue ? { nextDue } : {}) }, changes: book.changes };
}
