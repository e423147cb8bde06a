import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import type { InCommit } from '#base/db/transaction';
import type { Doc, Resource } from '#base/schema/resource';
import type { CompanionWrite } from '#platform/orgs/writeRecord';
import type { OrgContext, WriteContext } from './writeContext';

/**
 * How writes of the records of a resource differ from the default, over HTTP, by an import and by a definition file alike.
 * `B` is the type of a parsed body.
 */
export interface RecordRules<P extends TProperties, B = Partial<Doc<P>>> {
  /** Body schemas, when they differ from the resource's own. */
  createBody?: TSchema;
  updateBody?: TObject;
  /**
   * Makes the domain's checks of a body and returns the fields to store, with computed fields. The references in the
   * body are already checked. On update `previous` is the stored record, and `body` has what changes. A field that is
   * undefined, in the body or as returned, is removed. Of a definition it is called again in the transaction of the
   * write, so it writes nothing, and reads what the body names with `latest`.
   */
  prepare?(body: B, context: WriteContext, previous?: Doc<P>): Promise<Partial<Doc<P>>>;
  /** Refuses an existing record that may not be used. It is called before a read of one, an update and a delete. */
  guard?(doc: Doc<P>, context: OrgContext): void | Promise<void>;
  /** Completes records before they are shown. They may have only selected or populated fields. */
  present?(docs: Record<string, unknown>[], reading: Reading): Promise<Record<string, unknown>[]>;
  /**
   * Creates the record instead of a plain insert, and calls `inCommit` in its transaction. References are not checked
   * before.
   */
  create?(body: B, context: WriteContext, inCommit?: InCommit<Doc<P>>): Promise<Doc<P>>;
  /**
   * Changes the record instead of a plain update. References are not checked before. The body has what changes; a field
   * to remove is undefined. It calls `inCommit` in its transaction, with the record after the change.
   */
  update?(doc: Doc<P>, body: B, context: WriteContext, inCommit?: InCommit<Doc<P>>): Promise<Doc<P>>;
  /** Returns a write to make in the same transaction as an update; undefined for none. */
  companionOnUpdate?(previous: Doc<P>, fields: Partial<Doc<P>>, context: WriteContext): CompanionWrite | undefined;
  /**
   * Returns a write to make in the same transaction as a plain creation, update or delete; undefined for none.
   * What `create`, `update` and `remove` do is theirs alone.
   */
  companionOnChange?(change: RecordChange<P>, context: WriteContext): CompanionWrite | undefined;
  /** How other records name a record of this resource, when not by a declared reference. */
  uses?: Uses<P>;
  /**
   * Deletes the record instead of a plain delete. References to the record are not checked before. It calls `inCommit`
   * in its transaction, with the deleted record.
   */
  remove?(doc: Doc<P>, context: WriteContext, inCommit?: InCommit<Doc<P>>): Promise<void>;
}

/** Who reads records, and the arguments that say which of their fields. */
export interface Reading extends OrgContext {
  query: { select?: string; populate?: string };
}

/** A record before and after a write: `before` is absent at a creation, `after` at a delete. */
export interface RecordChange<P extends TProperties> {
  before?: Doc<P>;
  after?: Doc<P>;
}

/** How other records name a record, when not by a declared reference. A record that is named so cannot be deleted. */
export interface Uses<P extends TProperties> {
  /**
   * Fields by which others name the record. They cannot change while it is named. Empty when every field may change,
   * because the others refer to the id or have a copy.
   */
  by: readonly (keyof P & string)[];
  /** Returns where to look for records that name this one. */
  find(doc: Doc<P>, context: OrgContext): Use[] | Promise<Use[]>;
}

/** Records of a resource that name another record at `path`. */
export interface Use {
  in: Resource;
  path: string;
  where: Record<string, unknown>;
}
