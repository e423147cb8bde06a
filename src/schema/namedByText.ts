import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';

/** A record that another one names by a text, or by an id within a text. */
export interface NamedByText {
  /** Name of the resource, such as PursePolicy. */
  model: string;
  /** The values that the record must have, by dotted path. */
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
 * Finds which records name a record by a text that a change, or the deletion, would break: one for each naming resource.
 * The database may be that of a transaction.
 */
export type UsesByText = (db: Connection, change: NamedRecord) => Promise<UseByText[]>;

/** A record of an org that is to change, or to go. */
export interface NamedRecord {
  org: ObjectId;
  model: string;
  before: { _id?: unknown };
  after?: object;
}
