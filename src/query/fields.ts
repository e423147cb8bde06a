import type { TSchema } from '@sinclair/typebox';
import type { Resource } from '../schema/resource';
import { queryLimits } from './queryLimits';
import type { RegexTexts } from './regex/regexCost';

/**
 * How a field's values are read; `free` takes any JSON value, `object` only what its own fields take, `dateText` is a date
 * kept as UTC text.
 */
export type FieldKind = 'objectId' | 'date' | 'dateText' | 'number' | 'boolean' | 'string' | 'object' | 'free';

/** A field that a read may name. */
export interface Field {
  /** Dotted path in the stored document, without positions in lists. */
  path: string;
  /** Kind of the value, or of the elements of a list. */
  kind: FieldKind;
  /** The value itself is a list. */
  isArray: boolean;
  /** Paths of every list on the way, the field's own included, outermost first. */
  arrays: readonly string[];
  /** Name of the resource that the ids refer to. */
  ref?: string;
  /** The most that its texts can come to in one record, those of all elements of the lists on the way. */
  texts: RegexTexts;
}

/** The fields that a read may name: those of the answer, and any path below a free object. */
export interface FieldTable {
  /** The field of this dotted path; undefined for what is hidden, unknown, or names a position in a list. */
  find(path: string): Field | undefined;
  /** The fields of the elements of a list, with paths that begin at the element. */
  below(field: Field): FieldTable;
}

const tables = new WeakMap<Resource, FieldTable>();

/** The fields of a resource that arguments of reads may name, derived from its answer: hidden fields are unknown. */
export function fieldsOf(resource: Resource): FieldTable {
  const known = tables.get(resource);
  if (known) return known;
  const table = fieldTable(resource.readable);
  tables.set(resource, table);
  return table;
}

interface Step {
  schema: TSchema;
  arrays: string[];
  /** Most values at the path in one record. */
  count: number;
}

/** The fields that a schema names, as paths of its values; `count`: how many such values one record can hold. */
export function fieldTable(root: TSchema, count = 1): FieldTable {
  const walk = (path: string) => walkTo({ schema: root, arrays: [], count }, path.split('.'));
  return {
    find(path) {
      if (path.length > queryLimits.pathMaxLength) return undefined;
      const step = walk(path);
      return step && toField(path, step);
    },
    below(field) {
      const step = walk(field.path);
      return fieldTable(step ? elementOf(step.schema) : free, step?.count);
    },
  };
}

/** What stands below a free object: anything. */
const free: TSchema = {} as TSchema;

function walkTo(root: Step, segments: readonly string[]): Step | undefined {
  let { schema, count } = root;
  const arrays = [...root.arrays];
  for (const [index, segment] of segments.entries()) {
    const isInList = schema.type === 'array';
    const next = childOf(elementOf(schema), segment);
    if (!next || !isFitSegment(segment) || (isInList && /^\d+$/.test(segment))) return undefined;
    schema = next;
    if (schema.type !== 'array') continue;
    arrays.push(segments.slice(0, index + 1).join('.'));
    count *= Number(schema.maxItems ?? queryLimits.textMax);
  }
  return { schema, arrays, count };
}

function childOf(schema: TSchema, segment: string): TSchema | undefined {
  if (kindOf(schema) === 'free') return free;
  if (kindOf(schema) !== 'object') return undefined;
  if (Object.hasOwn(schema.properties, segment)) return schema.properties[segment];
  return schema.additionalProperties === true ? free : undefined;
}

/** Below free objects no schema says which names are fit. */
function isFitSegment(segment: string): boolean {
  return segment !== '' && segment !== '__proto__' && !segment.startsWith('$') && !segment.includes('\0');
}

function toField(path: string, { schema, arrays, count }: Step): Field {
  const element = elementOf(schema);
  const ref: unknown = element['x-ref'];
  return {
    path,
    kind: kindOf(element),
    isArray: schema.type === 'array',
    arrays,
    ...(typeof ref === 'string' ? { ref } : {}),
    texts: textsOf(element, count),
  };
}

/** A text with a pattern, a format or a list of words is short, though no schema says how short. */
const patternedMaxLength = 255;

/** All texts of a record come to no more than a request can have stored, where no schema says less. */
function textsOf(schema: TSchema, count: number): RegexTexts {
  const { textMax } = queryLimits;
  const isShort = schema.pattern !== undefined || schema.format !== undefined || schema.enum !== undefined;
  const known = typeof schema.maxLength === 'number' ? schema.maxLength : isShort ? patternedMaxLength : textMax;
  const length = kindOf(schema) === 'string' ? Math.min(known, textMax) : textMax;
  return { length, count: Math.min(count, Math.ceil(textMax / length)) };
}

function elementOf(schema: TSchema): TSchema {
  return schema.type === 'array' ? schema.items : schema;
}

function kindOf(schema: TSchema): FieldKind {
  if (schema['x-objectId']) return 'objectId';
  if (schema['x-date']) return 'date';
  if (schema.type === 'object') return schema.properties ? 'object' : 'free';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean' || schema.type === 'string') return schema.type;
  return 'free';
}
