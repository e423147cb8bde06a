import type { TProperties } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from '#base/schema/resource';
import type { Filter } from './filter';

/** A read that may need preparation: the org, the filter of the read, and the time of the org. */
export interface PreparedRead {
  org: ObjectId;
  filter: Filter;
  now: Date;
}

/** Makes a resource ready for a read. Returns the resource to read from, which may be a view. */
export type PrepareRead = <P extends TProperties>(
  db: Connection,
  resource: Resource<P>,
  read: PreparedRead,
) => Promise<Resource<P>>;

/** The user who reads, and the data that the user can read. */
export interface Reader {
  db: Connection;
  /** All resources of the service; references are followed to them. */
  resources: readonly Resource[];
  org: ObjectId;
  userId: ObjectId;
  permissions: ReadonlySet<string>;
}
