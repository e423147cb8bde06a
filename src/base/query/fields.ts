import type { TSchema } from '@sinclair/typebox';
import type { KeyedField, Resource } from '#base/schema/resource';
import { queryLimits } from './queryLimits';
import type { RegexTexts } from './regex/regexCost';

/**
 * How values of a field are read. `free` takes any JSON value. `object` takes only values of its own fields. `dateText`
 * is a date stored as UTC text.
 */
export type FieldKind = 'objectId' | 'date' | 'dateText' | 'number' | 'boolean' | 'string' | 'object' | 'free';

/** A field that a read may name. */
export interface Field {
  /** Dotted path in the stored document. */
  path: string;
  /** Kind of the value, or of the elements of a list. */
  kind: FieldKind;
  /** True when the value itself is a list. */
  isArray: boolean;
  /**
   * Paths of all lists along the path, including the field's own, outermost first. A list of which the path names one
   * element is left out.
   */
  arrays: readonly string[];
  /** The path names an element of a list by its position, as in `lineItems.0.itemSKU`. */
  hasPosition: boolean;
  /** Name of the resource that the ids refer to. */
  ref?: string;
  /** The greatest total size of the field's strings in one record, over all elements of the lists along the path. */
  texts: RegexTexts;
  /** Its values identify records, so a search finds them in every Unicode form. */
  isFindable?: boolean;
  /** How its values are found when not by the field itself. */
  keyed?: KeyedField;
}

/** The fields that a read may name: the fields of the answer, and any path below a free object. */
export interface FieldTable {
  /** Finds the field of a dotted path; undefined for a hidden, an unknown, and a field that is only added to answers. */
  find(path: string): Field | undefined;
  /** Returns the fields of the elements of a list; their paths begin at the element. */
  below(field: Field): FieldTable;
}

const tables = new WeakMap<Resource, FieldTable>();

/**
 * Returns the fields of a resource that read arguments may name. They derive from its answer, so hidden fields are
 * unknown.
 */
export function readableFields(resource: Resource): FieldTable {
  const known = tables.get(resource);
  if (known) return known;
  const table = keyedTable(fieldTable(resource.readable), resource.keyed);
  tables.set(resource, table);
  return table;
}

function keyedTable(table: FieldTable, keyedFields: Resource['keyed']): FieldTable {
  return {
    ...table,
    find(path) {
      const field = table.find(path);
      const keyed = Object.hasOwn(keyedFields, path) ? keyedFields[path] : undefined;
      return field && keyed ? { ...field, keyed } : field;
    },
  };
}

interface Step {
  schema: TSchema;
  arrays: string[];
  hasPosition: boolean;
  /** The most values at the path in one record. */
  count: number;
}

/** Makes the table of the fields of a schema, by their paths. `count` is how many such values one record can have. */
export function fieldTable(root: TSchema, count = 1): FieldTable {
  const walk = (path: string) => walkTo({ schema: root, arrays: [], hasPosition: false, count }, path.split('.'));
  return {
    find(path) {
      if (path.length > queryLimits.pathMaxLength) return undefined;
      const step = walk(path);
      return step && toField(path, step);
    },
    below(field) {
      const step = walk(field.path);
      return fieldTable(step ? itemSchema(step.schema) : free, step?.count);
    },
  };
}

/** Below a free object any value is allowed. */
const free: TSchema = {} as TSchema;

function walkTo(root: Step, segments: readonly string[]): Step | undefined {
  let { schema, count, hasPosition } = root;
  const arrays = [...root.arrays];
  for (const [index, segment] of segments.entries()) {
    if (schema.type === 'array' && position.test(segment)) {
      schema = schema.items;
      hasPosition = true;
      arrays.pop();
      continue;
    }
    const next = childSchema(itemSchema(schema), segment);
    if (!next || next['x-readOnly'] || !isFitSegment(segment)) return undefined;
    schema = next;
    if (schema.type !== 'array') continue;
    arrays.push(segments.slice(0, index + 1).join('.'));
    count *= Number(schema.maxItems ?? queryLimits.textMax);
  }
  return { schema, arrays, hasPosition, count };
}

/** The position of an element in a list, as MongoDB reads it. */
const position = /^(?:0|[1-9]\d{0,5})$/;

function childSchema(schema: TSchema, segment: string): TSchema | undefined {
  const { properties, additionalProperties: others } = schema;
  if (properties && Object.hasOwn(properties, segment)) return properties[segment];
  if (typeof others === 'object') return others;
  return fieldKind(schema) === 'free' || others === true ? free : undefined;
}

/** Below free objects no schema says which names are valid. */
function isFitSegment(segment: string): boolean {
  return segment !== '' && segment !== '__proto__' && !segment.startsWith('$') && !segment.includes('\0');
}

function toField(path: string, { schema, arrays, hasPosition, count }: Step): Field {
  const element = itemSchema(schema);
  const ref: unknown = element['x-ref'];
  return {
    path,
    kind: fieldKind(element),
    isArray: schema.type === 'array',
    arrays,
    hasPosition,
    ...(typeof ref === 'string' ? { ref } : {}),
    texts: regexTexts(element, count),
    ...(element['x-findable'] ? { isFindable: true } : {}),
  };
}

/** The assumed length of a string with a pattern, a format or an enum, when the schema has no `maxLength`. */
const patternedMaxLength = 255;

/**
 * Bounds the size of a field's strings in one record. Without a bound in the schema they are at most as long as a
 * request.
 */
function regexTexts(schema: TSchema, count: number): RegexTexts {
  const { textMax } = queryLimits;
  const isShort = schema.pattern !== undefined || schema.format !== undefined || schema.enum !== undefined;
  const known = typeof schema.maxLength === 'number' ? schema.maxLength : isShort ? patternedMaxLength : textMax;
  const length = fieldKind(schema) === 'string' ? Math.min(known, textMax) : textMax;
  return { length, count: Math.min(count, Math.ceil(textMax / length)) };
}

function itemSchema(schema: TSchema): TSchema {
  return schema.type === 'array' ? schema.items : schema;
}

function fieldKind(schema: TSchema): FieldKind {
  if (schema['x-objectId']) return 'objectId';
  if (schema['x-date']) return 'date';
  if (schema.type === 'object') return schema.properties ? 'object' : 'free';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'boolean' || schema.type === 'string') return schema.type;
  return 'free';
}
