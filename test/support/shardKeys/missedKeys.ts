import { type ShardKey, shardKeys, unsharded } from '#operations/sharding/shardKeys';

type Fields = Record<string, unknown>;

/** A command as the driver sends it. */
export type Command = Fields;

/** A part of a command that does not name the shard key of its collection. */
export interface MissedKey {
  collection: string;
  /** The command, with `many` when it changes all that match. */
  operation: string;
  /** The fields that its filter names, or that its records have. */
  named: readonly string[];
}

/** Views, and the collection whose key a read of each must name. */
const views: Readonly<Record<string, string>> = { alllifetimeaggregates: 'lifetimeaggregates' };

/** Collections of resources that tests define. */
const ofTests = ['books', 'boxes', 'cats', 'shelves', 'things', 'works'];

const whole: ReadonlySet<string> = new Set([...unsharded, ...ofTests]);

/**
 * Finds what a sharded cluster would refuse or send to all shards: a write that does not name the whole shard key, or
 * changes it; a read or a write of many records that does not name its first field; `distinct` in a transaction. Commands
 * of other kinds, and of collections that stay whole, miss nothing.
 */
export function missedKeys(command: Command, isInTransaction = false): MissedKey[] {
  const [operation = ''] = Object.keys(command);
  const collection = command[operation];
  if (typeof collection !== 'string' || collection.startsWith('system.')) return [];
  if (operation === 'distinct' && isInTransaction && !whole.has(collection)) {
    return [{ collection, operation: 'distinct in a transaction', named: [] }];
  }
  return checks[operation]?.(command, collection) ?? [];
}

type Check = (command: Command, collection: string) => MissedKey[];

const read = (operation: string, filter: string): Check => {
  return (command, collection) => missedBy({ collection, operation, isMany: true }, namedFields(command[filter]));
};

const checks: Readonly<Record<string, Check>> = {
  find: read('find', 'filter'),
  count: read('count', 'query'),
  distinct: read('distinct', 'query'),
  aggregate: ({ pipeline }, collection) => missedByPipeline(collection, pipeline as Fields[]),
  findAndModify: ({ query, update }, collection) =>
    missedByWrite({ collection, operation: 'findAndModify' }, query, update),
  update: ({ updates }, collection) =>
    rowsOf<{ q: Fields; u: unknown; multi?: boolean }>(updates).flatMap(({ q, u, multi }) =>
      missedByWrite({ collection, operation: multi ? 'update many' : 'update', isMany: multi }, q, u),
    ),
  delete: ({ deletes }, collection) =>
    rowsOf<{ q: Fields; limit: number }>(deletes).flatMap(({ q, limit }) =>
      missedBy({ collection, operation: limit ? 'delete' : 'delete many', isMany: !limit }, namedFields(q)),
    ),
  insert: ({ documents }, collection) => {
    const key = shardKeys[collection] ?? [];
    // Of thousands of records, each is only asked for the key.
    const without = rowsOf<Fields>(documents).find((each) => key.some((field) => each[field] === undefined));
    return missedBy({ collection, operation: 'insert' }, new Set(without ? Object.keys(without) : key));
  },
};

/** The rows of a command: the driver sends those of a bulk write beside the command. */
function rowsOf<T>(rows: unknown): T[] {
  return Array.isArray(rows) ? rows : (rows as { documents: T[] }).documents;
}

interface Operation {
  collection: string;
  operation: string;
  isMany?: boolean | undefined;
}

function missedBy({ collection, operation, isMany }: Operation, named: ReadonlySet<string>): MissedKey[] {
  if (whole.has(collection)) return [];
  const key: ShardKey | undefined = shardKeys[views[collection] ?? collection];
  const needed = isMany ? key?.slice(0, 1) : key;
  return needed?.every((field) => named.has(field)) ? [] : [{ collection, operation, named: [...named].sort() }];
}

function missedByWrite(written: Operation, filter: unknown, update: unknown): MissedKey[] {
  const { collection, operation } = written;
  const missed = missedBy(written, namedFields(filter));
  if (missed.length > 0 || !changesKey(update, filter, shardKeys[collection] ?? [])) return missed;
  return [{ collection, operation: `${operation} of the key`, named: [] }];
}

/** The collections that a pipeline reads each need a filter of their own at its beginning. */
function missedByPipeline(collection: string, pipeline: readonly Fields[]): MissedKey[] {
  const own = missedBy({ collection, operation: 'aggregate', isMany: true }, namedFields(pipeline[0]?.$match));
  const others = pipeline.flatMap((stage) =>
    Object.entries(stage).flatMap(([name, value]) => {
      const { coll, from, pipeline: inner = [] } = value as { coll?: string; from?: string; pipeline?: Fields[] };
      const other = name === '$unionWith' ? coll : name === '$lookup' || name === '$graphLookup' ? from : undefined;
      return other === undefined ? [] : missedByPipeline(other, inner);
    }),
  );
  return [...own, ...others];
}

/** The fields that a filter compares with one value or with a list of values, whichever of its alternatives holds. */
function namedFields(filter: unknown, named: Set<string> = new Set()): Set<string> {
  for (const [field, value] of Object.entries((filter ?? {}) as Fields)) {
    if (field === '$and') for (const each of value as Fields[]) namedFields(each, named);
    else if (field === '$or') for (const each of namedByAll(value as Fields[])) named.add(each);
    else if (!field.startsWith('$') && isByValue(value)) named.add(field);
  }
  return named;
}

function namedByAll(alternatives: readonly Fields[]): string[] {
  const [first = new Set<string>(), ...others] = alternatives.map((each) => namedFields(each));
  return [...first].filter((field) => others.every((each) => each.has(field)));
}

function isByValue(value: unknown): boolean {
  if (value instanceof RegExp) return false;
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return true;
  const operators = Object.keys(value).filter((name) => name.startsWith('$'));
  return operators.length === 0 || '$eq' in value || '$in' in value;
}

/** Tells whether an update or a replacement gives a field of a key another value than its filter names, or none. */
function changesKey(update: unknown, filter: unknown, key: readonly string[]): boolean {
  const isKept = (field: string, written: unknown) =>
    String((written as Fields)[field]) === String((filter as Fields)[field]);
  const stages = Array.isArray(update) ? (update as Fields[]) : [(update ?? {}) as Fields];
  return stages.some((stage) =>
    Object.entries(stage).some(([operator, fields], place) => {
      if (!operator.startsWith('$')) return place === 0 && key.some((field) => !isKept(field, stage));
      if (operator === '$setOnInsert') return false;
      return key.some((field) => names(fields, field) && !(operator === '$set' && isKept(field, fields)));
    }),
  );
}

/** Tells whether an operator of an update has a field: by name, in a list of names, or with a value. */
function names(fields: unknown, field: string): boolean {
  if (typeof fields === 'string') return fields === field;
  return Array.isArray(fields) ? fields.includes(field) : field in (fields as Fields);
}
