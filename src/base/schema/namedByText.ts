import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import type { Resource } from './resource';

/** A record that another one names by a string, or by an id within a string. */
export interface NamedByText {
  /** Name of the resource, such as PursePolicy. */
  model: string;
  /** The values that the record must have, by dotted path. Of an ext def: its field, and as `of` the model that has it. */
  fields: Readonly<Record<string, string>>;
  /** The field of the naming record. */
  at: string;
}

/** A record that would name nothing any more after a change. */
export interface UseByText {
  /** Collection and name of the naming record. */
  by: string;
  named: NamedByText;
}

/**
 * Finds which records name a record by a string that a change, or the deletion, would break: one for each naming
 * resource. The database may be bound to a transaction.
 */
export type UsesByText = (services: StoredNames, change: NamedRecord) => Promise<UseByText[]>;

/** Where the records are that name others, and the resources that stored queries may be of. */
export interface StoredNames {
  db: Connection;
  resources: readonly Resource[];
}

/** A record of an org that is to change, or to go. */
export interface NamedRecord {
  org: ObjectId;
  model: string;
  before: { _id?: unknown };
  after?: object;
}
