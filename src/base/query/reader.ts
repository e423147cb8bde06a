import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from '#base/schema/resource';

/** The user who reads, and the data that the user can read. */
export interface Reader {
  db: Connection;
  /** All resources of the service; references are followed to them. */
  resources: readonly Resource[];
  org: ObjectId;
  userId: ObjectId;
  permissions: ReadonlySet<string>;
}
