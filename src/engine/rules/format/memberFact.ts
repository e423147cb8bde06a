import { ObjectId } from 'bson';
import type { Member } from '#records/members/member';
import type { MemberTier } from '#records/members/memberTier';
import type { Purse } from '#records/points/purse';
import { idsAsText } from '../language/operators';
import { profileNames } from './facts';
import { memberBucket } from './memberBucket';

/** The input for the fact `member`. */
export interface MemberFactInput {
  member: Readonly<Member>;
  /** Purses with the changes of the activity so far. */
  purses: readonly Purse[];
  /** Names of the member's segments. */
  segments: readonly string[];
  /** When the member joined its segments, by name. */
  segmentSince: Readonly<Record<string, Date>>;
  tiers: readonly Pick<MemberTier, 'name' | 'level' | 'since' | 'expiresOn' | 'keep'>[];
  /** Number of Processed Accruals before this activity. `isFirstActivity` is computed from it. */
  processedAccruals: number;
}

/** The fact `member`: profile, segment names, tiers and purses by name. */
export function memberFact(input: MemberFactInput): Record<string, unknown> {
  const { member, purses, segments, segmentSince, tiers, processedAccruals } = input;
  const fact: Record<string, unknown> = {
    segments,
    segmentSince,
    bucket: memberBucket(member._id),
    tierSince: Object.fromEntries(tiers.map(({ name, since }) => [name, since])),
    tierUntil: Object.fromEntries(tiers.flatMap(({ name, expiresOn }) => (expiresOn ? [[name, expiresOn]] : []))),
    tierMissing: Object.fromEntries(tiers.flatMap(({ name, keep }) => (keep ? [[name, missing(keep)]] : []))),
    tier: Object.fromEntries(tiers.map(({ name, level }) => [name, level.name])),
    tierNumber: Object.fromEntries(tiers.map(({ name, level }) => [name, level.number])),
    purse: Object.fromEntries(purses.map((purse) => [purse.name, idsAsText(purse)])),
    processedAccruals,
  };
  for (const name of profileNames) {
    const value = member[name];
    if (value !== undefined) fact[name] = value instanceof ObjectId ? value.toHexString() : value;
  }
  return fact;
}

/** How much a challenge still needs. */
export function missing({ atLeast, counted }: NonNullable<MemberTier['keep']>): number {
  return Math.max(0, atLeast - counted);
}
