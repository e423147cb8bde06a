import type { TProperties, TSchema } from '@sinclair/typebox';
import type { CompanionWrite } from '../../orgs/writeRecord';
import type { Doc, Resource } from '../../schema/resource';
import type { Request } from '../route';

/** What may be done with the records of a resource; `read` is one record, `update` is PUT and PATCH. */
export type Operation = 'list' | 'count' | 'read' | 'create' | 'update' | 'delete';

/** Every operation: full CRUD and collection reads. */
export const allOperations = ['list', 'count', 'read', 'create', 'update', 'delete'] as const satisfies Operation[];

/** What a resource does otherwise than every other. `B` is its parsed body. */
export interface CollectionOptions<P extends TProperties, B = Partial<Doc<P>>> {
  operations: readonly Operation[];
  /** Permissions other than `<path>:read|create|update|delete`. */
  permissions?: Partial<Record<Operation, string>>;
  /** Error statuses beyond those of every collection; for documentation. */
  errors?: Partial<Record<Operation, readonly number[]>>;
  /** Prefixes under which the routes answer; default `/api/v1`. */
  prefixes?: readonly string[];
  /** Bodies other than the resource's own. */
  createBody?: TSchema;
  updateBody?: TSchema;
  /** List, count and distinct need the argument `query`, and not an empty one. */
  isQueryRequired?: boolean;
  /**
   * Gives the fields to store for a body whose references exist: domain checks and computed fields. On update
   * `previous` is the stored record, and a field given as undefined is removed.
   */
  prepare?(body: B, context: PrepareContext<P>): Promise<Partial<Doc<P>>>;
  /** Refuses a record that is there but may not be used: called before a read of one, update and delete. */
  guard?(doc: Doc<P>, request: Request): void | Promise<void>;
  /** Completes records before they are answered; they may hold selected or populated fields only. */
  present?(docs: Record<string, unknown>[], request: Request): Promise<Record<string, unknown>[]>;
  /** Makes the record instead of a plain insert; references are not checked before. */
  create?(body: B, request: Request): Promise<Doc<P>>;
  /** Changes the record instead of a plain update; references are not checked before. */
  update?(doc: Doc<P>, body: B, request: Request): Promise<Doc<P>>;
  /** What an update writes beside the record, in one transaction with it; undefined: nothing. */
  along?(previous: Doc<P>, fields: Partial<Doc<P>>, request: Request): CompanionWrite | undefined;
  /** Records that name one of these otherwise than by a declared reference. */
  uses?: Uses<P>;
  /** Removes the record instead of a plain delete; what refers to it is not checked before. */
  remove?(doc: Doc<P>, request: Request): Promise<void>;
}

/** How other records name one by more than a declared reference; a record that is named so stays. */
export interface Uses<P extends TProperties> {
  /** Fields that they name it by and that cannot be changed while they do; empty: they keep what they saw. */
  by: readonly (keyof P & string)[];
  /** Where to look for those that name this record. */
  find(doc: Doc<P>, request: Request): Use[] | Promise<Use[]>;
}

/** Records of a resource that name another at `path`. */
export interface Use {
  in: Resource;
  path: string;
  where: Record<string, unknown>;
}

/** What `prepare` may look at. */
export interface PrepareContext<P extends TProperties> {
  request: Request;
  /** The stored record that is changed; absent at creation. */
  previous?: Doc<P>;
}
