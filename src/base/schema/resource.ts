import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { fixedField, instant, objectId, readOnlyField, record } from './atoms';
import { compileParse, type Parse } from './parse';
import type { TagName } from './tags';

/** The fields that every stored object has (SPEC "Common fields"); the service sets them. */
export const commonFields = {
  _id: objectId(undefined, { description: 'Record id' }),
  org: objectId('Org', { description: 'Organization that owns the record' }),
  createdAt: instant({ description: 'Creation timestamp' }),
  updatedAt: instant({ description: 'Last update timestamp' }),
  createdBy: objectId('User', { description: 'User who created the record' }),
  updatedBy: objectId('User', { description: 'User who last updated the record' }),
};

/** A MongoDB index. `where` limits it to some documents. */
export interface Index {
  keys: Record<string, 1 | -1>;
  unique?: boolean;
  where?: Record<string, unknown>;
  /** Seconds after the indexed date at which MongoDB deletes the document. */
  expireAfterSeconds?: number;
  /**
   * Reads name this index to MongoDB, so nothing may be served before it is there. A unique index is needed unless this
   * is false: then one of an earlier version keeps the same values unique until it is there.
   */
  isNeeded?: boolean;
}

/** How the values of a field are found: by keys that each record stores in a list (decision 46). */
export interface KeyedField {
  /** The stored list of keys. An index begins with it. */
  list: string;
  /** The keys of a value that a client names. A record has the value when its list has one of them. */
  keysOf(value: string): readonly string[];
  /** The key of all values that begin with these letters, in any case; undefined when there is none. */
  beginningOf?(letters: string): string | undefined;
  /** True when the keys are the values themselves, so a pattern is compared with them. */
  hasValues?: boolean;
}

/**
 * Makes the MongoDB filter of the records that a search text names, as people type it. It selects by a key of an index.
 */
export type SearchFilter = (text: string) => Record<string, unknown>;

/** Reads the exact number of records of an org, faster than by counting them; undefined when it is not known yet. */
export type CountAll = (db: Connection, org: ObjectId) => Promise<number | undefined>;

/** What a permission of a resource allows. */
export const verbs = ['read', 'create', 'update', 'delete'] as const;

export type Verb = (typeof verbs)[number];

/**
 * Who may read and write a resource (docs/design/users.md):
 * - `managed`: program managers write, all roles except `client` read; `catalog` the same, but `client` reads too;
 * - `customer`: `client` writes, all roles read;
 * - `ledger`: the service writes, all roles read; `operation` the same, but `client` does not read;
 * - `user`: only `admin` and `ledger-admin` read and write.
 */
export type Access = 'managed' | 'catalog' | 'customer' | 'ledger' | 'operation' | 'user';

/** The definition of a resource: name, path, fields, and which of them clients may write or see. */
export type ResourceDefinition<P extends TProperties> = StoredDefinition<P> & (Served | Unserved);

/** What a resource with routes adds. */
interface Served {
  /** Who may read and write it. */
  access: Access;
  /** The tag of its routes in the OpenAPI document. */
  tag: TagName;
}

/** A resource without routes: nobody reads or writes it over HTTP. */
interface Unserved {
  access?: never;
  tag?: never;
}

interface StoredDefinition<P extends TProperties> {
  /** Singular Pascal case, as in `populate`, `lookup` and refreshcache, for example `PursePolicy`. */
  name: string;
  /** Path segment below `/api/v1`, plural; also the collection's name and the permission's prefix. */
  path: string;
  /** The resource's own fields; {@link commonFields} are added. */
  fields: P;
  /** Own fields that the service computes; refused on write with kind `readOnly`. */
  readOnly?: readonly (keyof P & string)[];
  /** Required own fields that the service sets when the body of a creation does not have them. */
  made?: readonly (keyof P & string)[];
  /** Own fields that may be given at creation but not changed afterwards. */
  fixed?: readonly (keyof P & string)[];
  /** The schemas of fields as responses have them, when these have or say more than what is stored. */
  completed?: TProperties;
  /** Fields that never appear in responses and that queries cannot name. */
  hidden?: readonly (keyof P & string)[];
  /** Further checks that code makes of the body of a creation, as JSON Schema; only for the OpenAPI document. */
  createRule?: Record<string, unknown>;
  indexes?: readonly Index[];
  /** Fields of texts whose values are found by keys. */
  keyed?: Readonly<Record<string, KeyedField>>;
  /** What the argument `search` of its list finds; absent: there is no such argument. */
  search?: { description: string; filterOf: SearchFilter };
  /** Never listed over HTTP, so it needs no index for lists by org. */
  isInternal?: boolean;
  /** Reads the stored number of records of an org; absent: the records are counted. */
  countAll?: CountAll;
  /** Permissions other than `<path>:<verb>`. `records/users/permissions.ts` gives these to roles by their names. */
  permissions?: Partial<Record<Verb, string>>;
  /** The pipeline caches it, so every write increments the org's `definitionsVersion`. */
  isDefinition?: boolean;
}

/** The stored document of a resource. */
export type Doc<P extends TProperties> = Static<TObject<P>> & Static<TObject<typeof commonFields>>;

/** The stored document of a resource value: `DocOf<typeof programResource>`. */
export type DocOf<R> = R extends Resource<infer P> ? Doc<P> : never;

/** A resource made by {@link defineResource}; the only source of bodies, storage, reads and OpenAPI. */
export interface Resource<P extends TProperties = TProperties> {
  name: string;
  path: string;
  /** Every stored field. */
  shape: TObject;
  /** Every field that clients may see, in the form of responses. */
  answer: TObject;
  /** The same fields in their stored form; queries may name these. */
  readable: TObject;
  createBody: TSchema;
  updateBody: TObject;
  parseCreate: Parse<Record<string, unknown>>;
  hidden: readonly string[];
  readOnly: readonly string[];
  indexes: readonly Index[];
  keyed: Readonly<Record<string, KeyedField>>;
  search: { description: string; filterOf: SearchFilter } | undefined;
  access: Access | undefined;
  tag: TagName | undefined;
  /** The permission that each verb needs. */
  permissions: Readonly<Record<Verb, string>>;
  /** Every write increments the org's `definitionsVersion`. */
  isDefinition: boolean;
  countAll: CountAll | undefined;
  /** Never set; it only carries the type. */
  doc?: Doc<P>;
}

const commonNames = Object.keys(commonFields);

/** Lists of an org are sorted by `_id` by default. */
const listOrder: Index = { keys: { org: 1, _id: 1 } };

/** Defines a resource once; bodies, storage, query fields and documentation are derived from it. */
export function defineResource<P extends TProperties>(definition: ResourceDefinition<P>): Resource<P> {
  const { name, path, fields, hidden = [], readOnly = [], made = [], fixed = [], indexes = [] } = definition;
  const { completed = {} } = definition;
  const shape: TObject = record({ ...commonFields, ...fields } as TProperties);
  const locked = [...commonNames, ...readOnly, ...hidden];
  const { createRule } = definition;
  const createBody = { ...bodySchema(shape, locked, made), ...(createRule ? { 'x-document': createRule } : {}) };
  const fixedFields = Object.fromEntries(fixed.map((field) => [field, fixedField()]));
  const updateBody = partialBody(record({ ...bodySchema(shape, locked).properties, ...fixedFields }));
  return {
    name,
    path,
    shape,
    answer: record({ ...omit(shape.properties, hidden), ...completed }),
    readable: record(omit(shape.properties, hidden)),
    createBody,
    updateBody,
    parseCreate: compileParse(createBody),
    hidden,
    readOnly: locked,
    access: definition.access,
    tag: definition.tag,
    permissions: { ...permissionsAt(path), ...definition.permissions },
    isDefinition: definition.isDefinition ?? false,
    countAll: definition.countAll,
    keyed: definition.keyed ?? {},
    search: definition.search,
    indexes: definition.isInternal ? indexes : [listOrder, ...indexes],
  };
}

function permissionsAt(path: string): Record<Verb, string> {
  return { read: `${path}:read`, create: `${path}:create`, update: `${path}:update`, delete: `${path}:delete` };
}

function bodySchema(shape: TObject, locked: readonly string[], made: readonly string[] = []): TObject {
  const refused = Object.fromEntries(
    locked.filter((name) => name in shape.properties).map((name) => [name, readOnlyField()]),
  );
  const optional = Object.fromEntries(
    Object.entries(pick(shape.properties, made)).map(([name, schema]) => [name, Type.Optional(schema)]),
  );
  return record({ ...omit(shape.properties, locked), ...optional, ...refused });
}

/**
 * The body of an update: every field is optional and has no default. `x-required` and `x-default` say what null makes of
 * a field that each record has: it is refused, or falls back to its default.
 */
function partialBody({ properties, required = [] }: TObject): TObject {
  const partial = Object.entries(properties).map(([name, schema]) => {
    const { default: fallback, ...rest } = schema;
    if (fallback !== undefined) return [name, { ...rest, 'x-default': fallback }] as const;
    return [name, required.includes(name) ? { ...rest, 'x-required': true } : rest] as const;
  });
  const optional = partial.map(([name, schema]) => [name, Type.Optional(schema as TSchema)]);
  return record(Object.fromEntries(optional));
}

function omit(properties: TProperties, names: readonly string[]): TProperties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

function pick(properties: TProperties, names: readonly string[]): TProperties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
}
