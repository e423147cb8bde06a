import { ObjectId } from 'bson';
import type { Member } from '../../records/members/member';
import type { Purse } from '../../records/points/purse';
import { idsAsText } from '../language/operators';
import { profileNames } from './facts';

/** The input for the fact `member`. */
export interface MemberFactInput {
  member: Readonly<Member>;
  /** Purses with the changes of the activity so far. */
  purses: readonly Purse[];
  /** Names of the member's segments. */
  segments: readonly string[];
  tiers: readonly { name: string; level: { name: string; number: number } }[];
  /** Number of Processed Accruals before this activity. `isFirstActivity` is computed from it. */
  processedAccruals: number;
}

/** The fact `member`: profile, segment names, tiers and purses by name. */
export function memberFact(input: MemberFactInput): Record<string, unknown> {
  const { member, purses, segments, tiers, processedAccruals } = input;
  const fact: Record<string, unknown> = {
    segments,
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
