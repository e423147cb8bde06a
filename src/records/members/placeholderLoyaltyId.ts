import type { ObjectId } from 'bson';
import { findablePattern } from '#base/schema/findable';

/** The ids that {@link placeholderLoyaltyId} makes. */
const placeholder = /^(?:merged|erased)-[0-9a-f]{24}$/i;

/** A pattern of JSON Schema has no flag to ignore case. */
const inAnyCase = (word: string) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const placeholderPattern = `(?:${inAnyCase('merged')}|${inAnyCase('erased')})-[0-9a-fA-F]{24}$`;

/** The pattern of the loyalty ids that a member may be given, for the OpenAPI document. */
export const chosenLoyaltyIdPattern = findablePattern.replace('^', `^(?!${placeholderPattern})`);

/** Tells whether {@link placeholderLoyaltyId} could have made a loyalty id; no new member may use such an id. */
export function isPlaceholderLoyaltyId(loyaltyID: string): boolean {
  return placeholder.test(loyaltyID);
}

/**
 * The loyalty id of a merged or erased member. Such a member cannot have an empty list of ids: the unique index treats
 * an empty list as a value, so only one member could have it.
 */
export function placeholderLoyaltyId(since: 'merged' | 'erased', member: ObjectId): string {
  return `${since}-${member.toHexString()}`;
}
