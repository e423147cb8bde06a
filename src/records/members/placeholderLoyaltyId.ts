import type { ObjectId } from 'bson';
import { textPattern } from '../../schema/textFaults';

/** The ids that {@link placeholderLoyaltyId} makes, in any case. Patterns of JSON Schema have no flag for that. */
const vacantId = '(?:[Mm][Ee][Rr][Gg]|[Ee][Rr][Aa][Ss])[Ee][Dd]-[0-9A-Fa-f]{24}$';

const vacant = new RegExp(`^${vacantId}`);

/** The pattern of the loyalty ids that a member may be given, for the OpenAPI document. */
export const givenLoyaltyIdPattern = textPattern.replace('^', `^(?!${vacantId})`);

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
