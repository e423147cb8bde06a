import { hash } from 'node:crypto';
import type { ObjectId } from 'bson';

/** The number of buckets, into which members fall evenly. */
const buckets = 100;

/** The fact `member` is made at each level of an activity, so the bucket of an id is computed once. */
const known = new WeakMap<ObjectId, number>();

/** A number from 0 to 99 that a member always has, for experiments: `bucket` below 10 is a tenth of the members. */
export function memberBucket(member: ObjectId): number {
  const bucket = known.get(member) ?? computed(member);
  known.set(member, bucket);
  return bucket;
}

/** Of 32 bits, the remainder by 100 favours no bucket by more than one in 40 million. */
function computed(member: ObjectId): number {
  return Number.parseInt(hash('sha1', member.id, 'hex').slice(0, 8), 16) % buckets;
}
