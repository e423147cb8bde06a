import type { ObjectId } from 'bson';
import type { Clock } from '#base/common/clock';
import type { Author } from '#base/db/records';

/** What is archived of an org. */
export interface ArchiveScope {
  org: ObjectId;
  clock: Clock;
  before: Date;
  /** Called for a member whose points are left out, because its records do not agree. */
  onFaulty(member: ObjectId): void;
}

/** The volume that has records, and who moves them there. */
export interface MovedTo {
  volume: ObjectId;
  author: Author;
  now: Date;
}
