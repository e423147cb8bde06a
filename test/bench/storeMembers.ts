import { randomUUID } from 'node:crypto';
import { ObjectId } from 'bson';
import { collectionOf } from '#base/db/collections';
import { memberResource } from '#records/members/member';
import type { BenchWorld } from './benchWorld';

/** Copies the first member until there are `count`. @returns the loyalty ids of all */
export async function storeMembers({ services, members }: BenchWorld, count: number): Promise<string[]> {
  const collection = collectionOf(services.db, memberResource);
  const first = await collection.findOne({ _id: (members[0] as BenchWorld['members'][number])._id });
  if (!first) throw new Error('the world has members');
  const loyaltyIDs = members.map(({ loyaltyID }) => loyaltyID);
  for (let stored = loyaltyIDs.length; stored < count; stored += 1000) {
    const ids = Array.from({ length: Math.min(1000, count - stored) }, (_unused, n) => `B-${stored + n}`);
    const copies = ids.map((loyaltyID) => ({
      ...first,
      _id: new ObjectId(),
      loyaltyID,
      loyaltyIDs: [loyaltyID],
      referralCode: randomUUID(),
    }));
    await collection.insertMany(copies);
    loyaltyIDs.push(...ids);
  }
  return loyaltyIDs;
}
