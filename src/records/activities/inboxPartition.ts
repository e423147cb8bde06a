import { createHash } from 'node:crypto';

/** Number of partitions of the inbox. All submissions of one member are in the same partition. */
export const partitionCount = 64;

/** The partition of a member: the same for all of its submissions. */
export function memberPartition(member: string): number {
  return createHash('sha256').update(member).digest().readUInt16BE(0) % partitionCount;
}
