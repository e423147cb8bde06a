import type { ObjectId } from 'bson';

/** A JSON Schema pattern of the ids that {@link placeholderLoyaltyId} makes. */
export const vacantLoyaltyIdPattern = '^(?:merged|erased)-[0-9a-f]{24}$';

const vacant = new RegExp(vacantLoyaltyIdPattern, 'i');

/** Tells whether {@link placeholderLoyaltyId} could have made a loyalty id; no new member may use such an id. */
export function isVacantLoyaltyId(loyaltyID: string): boolean {
  return vacant.test(loyaltyID);
}

/**
 * The loyalty id of a merged or erased member. Such a member cannot have an empty list of ids: the unique index treats
 * an empty list as a value, so only one member could have it.
 */
export function placeholderLoyaltyId(since: 'merged' | 'erased', member: ObjectId): string {
  return `${since}-${member.toHexString()}`;
}
