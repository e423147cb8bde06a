import type { ObjectId } from 'bson';

/** Tells whether a member is in a sample of this share, 0 to 1: always the same members, and whole ones. */
export function isSampled(member: ObjectId, share: number): boolean {
  return share >= 1 || hashOf(member.toHexString()) / 2 ** 32 < share;
}

/** FNV-1a with a final mix, since ids of one moment differ in their last digits only. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
