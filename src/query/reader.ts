import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from '../schema/resource';

/** Who reads, and from what. */
export interface Reader {
  db: Connection;
  /** The catalogue of resources, which references are followed in. */
  resources: readonly Resource[];
  org: ObjectId;
  userId: ObjectId;
  permissions: ReadonlySet<string>;
}
