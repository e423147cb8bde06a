import type { ObjectId } from 'bson';

/** What {@link placeholderLoyaltyId} makes, as a JSON Schema pattern. */
export const vacantLoyaltyIdPattern = '^(?:merged|erased)-[0-9a-f]{24}$';

const vacant = new RegExp(vacantLoyaltyIdPattern, 'i');

/** Tells whether a loyalty id is one that {@link placeholderLoyaltyId} makes: no new member may take it. */
export function isVacantLoyaltyId(loyaltyID: string): boolean {
  return vacant.test(loyaltyID);
}

/**
 * What stands for the loyalty ids of a member that has none any more. The unique index takes an empty list for a value,
 * of which there can be one.
 */
export function placeholderLoyaltyId(since: 'merged' | 'erased', member: ObjectId): string {
  return `${since}-${member.toHexString()}`;
}
