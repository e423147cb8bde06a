import type { ObjectId } from 'bson';

/**
 * What stands for the loyalty ids of a member that has none any more. The unique index takes an empty list for a value,
 * of which there can be one.
 */
export function vacantLoyaltyId(since: 'merged' | 'erased', member: ObjectId): string {
  return `${since}-${member.toHexString()}`;
}
