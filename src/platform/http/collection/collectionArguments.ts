import { type TSchema, Type } from '@sinclair/typebox';
import type { Field } from '#base/query/fields';
import { readableFields } from '#base/query/fields';
import { queryLimits } from '#base/query/queryLimits';
import { anyValue, text } from '#base/schema/atoms';
import type { Resource } from '#base/schema/resource';
import type { QueryArgument } from '../route';
import { filterArgument } from './filterArgument';

type Arguments = Record<string, QueryArgument>;

/** The documented arguments of reads of one record (docs/design/query.md). */
export function oneArguments(resource: Resource): Arguments {
  const fields = namedFields(resource);
  const references = fields.filter(({ ref }) => ref !== undefined && ref !== 'Org');
  return {
    select: {
      description: 'Fields to answer: a,b; or to leave out: -a. Also b.c for a field within b, or JSON with 0 and 1',
      schema: selectSchema(fields.filter(isOuter)),
    },
    populate: {
      description: 'References to answer as records',
      schema: words(fieldPaths(references), queryLimits.populateMax),
    },
  };
}

/** The documented arguments of lists and counts (docs/design/query.md). Any field of a record is an argument too. */
export function listArguments(resource: Resource, { isQueryRequired = false } = {}): Arguments {
  const values = namedFields(resource).filter(({ kind }) => kind !== 'object');
  const sorted = fieldPaths(values.filter(({ arrays }) => arrays.length === 0));
  const { skipMax, limitMax, limitDefault, sortMax, distinctFieldsMax } = queryLimits;
  return {
    ...oneArguments(resource),
    distinct: {
      description: 'Distinct values of a field, or combinations of several; then sort may only name these',
      schema: words(fieldPaths(values), distinctFieldsMax),
    },
    sort: {
      description: 'Order: a or -a,b, each field once; or JSON with 1 and -1',
      schema: { ...words([...sorted, ...sorted.map(excluded)], sortMax), uniqueItems: true },
    },
    skip: { description: 'Records passed over', schema: Type.Integer({ minimum: 0, maximum: skipMax, default: 0 }) },
    limit: {
      description: 'Records answered at most',
      schema: Type.Integer({ minimum: 1, maximum: limitMax, default: limitDefault }),
    },
    after: afterArgument,
    query: filterArgument('Filter', { required: isQueryRequired }),
    ...(resource.search ? { search: searchArgument(resource.search) } : {}),
  };
}

function searchArgument({ description }: { description: string }): QueryArgument {
  return { description, schema: text(queryLimits.searchMax, { examples: ['anna mei'] }) };
}

/** The argument that continues a list past the greatest `skip`. */
export const afterArgument: QueryArgument = {
  description: 'Where to go on, in place of skip: only as a Link gives it, with the same sort',
  schema: Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength: queryLimits.cursorMax }),
};

function isOuter({ path }: Field): boolean {
  return !path.includes('.');
}

function fieldPaths(fields: readonly Field[]): string[] {
  return fields.map(({ path }) => path);
}

function excluded(name: string): string {
  return `-${name}`;
}

/**
 * Only outer fields are named, because a field and a field within it exclude each other. Fields to answer and fields to
 * leave out exclude each other too, so they are two lists.
 */
function selectSchema(fields: readonly Field[]): TSchema {
  const names = fieldPaths(fields);
  const some = (each: string[]) => ({ ...words(each, queryLimits.selectMax), uniqueItems: true });
  return anyValue({ anyOf: [some(names), some(names.map(excluded))] });
}

function words(names: readonly string[], max: number): TSchema {
  return anyValue({ type: 'array', items: nameSchema(names), minItems: 1, maxItems: max });
}

function nameSchema(names: readonly string[]) {
  return { type: 'string', enum: [...names] };
}

/**
 * Returns every field that the schema of a resource names, each followed by the fields within it. Fields below a free
 * object have any name, so they are not listed.
 */
function namedFields(resource: Resource): Field[] {
  const table = readableFields(resource);
  return pathsWithin(resource.answer).flatMap((path) => table.find(path) ?? []);
}

function pathsWithin(schema: TSchema, prefix = ''): string[] {
  const { properties = {} } = schema.type === 'array' ? schema.items : schema;
  const named: [string, TSchema][] = Object.entries(properties);
  return named.flatMap(([name, child]) => [`${prefix}${name}`, ...pathsWithin(child, `${prefix}${name}.`)]);
}
