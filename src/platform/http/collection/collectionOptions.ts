import type { ObjectId } from 'bson';
import type { ServiceError } from '#base/common/errors';
import type { Request } from '../route';

/** An operation on the records of a resource. `read` reads one record; `update` is PUT and PATCH. */
export type Operation = 'list' | 'count' | 'read' | 'create' | 'update' | 'delete';

/** Every operation: full CRUD and collection reads. */
export const allOperations = ['list', 'count', 'read', 'create', 'update', 'delete'] as const satisfies Operation[];

/** How the routes of a resource differ from the default. How its writes differ is in its `RecordRules`. */
export interface CollectionOptions {
  operations: readonly Operation[];
  /** Error statuses beyond those of every collection; for documentation. */
  errors?: Partial<Record<Operation, readonly number[]>>;
  /** Prefixes under which the routes answer; default `/api/v1`. */
  prefixes?: readonly string[];
  /** Where the routes are, when it is not the path of the resource. */
  path?: string;
  /** True when list, count and distinct need the argument `query` and it must not be empty. */
  isQueryRequired?: boolean;
  /** The answer when there is no record with an id, if it is another one than 404. */
  missing?(request: Request, id: ObjectId): Promise<ServiceError | undefined>;
  /** The greatest `skip`, for tests; past it lists continue by key. */
  skipMax?: number;
}
