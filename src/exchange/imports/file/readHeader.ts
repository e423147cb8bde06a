import type { TObject, TSchema } from '@sinclair/typebox';
import type { FieldError } from '#base/common/errors';
import { type Message, message } from '#base/common/messages/message';
import { depthMax, refusedKeys } from '#base/schema/freeObject';
import { hasControlCharacters, nameMax } from '#base/schema/textFaults';
import type { Mapping } from '#records/imports/mappingShape';
import { importLimits } from '../importLimits';
import { isBlank } from './csvRecords';
import type { FileRow } from './fileRow';
import { type CellKind, readCell } from './readCell';

/** What a kind of import reads from a row. */
export interface RowFields {
  /** The fields of a row; a column names one, or with dots a field within it. */
  body: TObject;
  /** Fields of records that only the service writes: columns with these names are not read. */
  notRead: ReadonlySet<string>;
  /** Columns without which no row can be read: one of each list. */
  required: readonly (readonly string[])[];
  /** The prefixes of columns that name something of the org, such as `balance:`. */
  prefixes: readonly string[];
  /** Fields that are points, which a mapping may multiply; so are those of the prefix `balance:`. */
  points: readonly string[];
  /** Fields that are amounts of money in minor units, which a mapping may multiply. */
  amounts: readonly string[];
  /** How the cells of an extension field are read. */
  extKind(field: string): 'number' | 'boolean' | undefined;
}

/** A header that was read. */
export interface Header {
  faults: FieldError[];
  /** The fields of the columns, and those that the mapping sets. */
  fields: readonly string[];
  /** The columns that are not read. */
  ignored: string[];
  /** Makes the fields of a row from its cells. An empty cell is a field that was not sent. */
  readCells(cells: readonly string[]): Pick<FileRow, 'value' | 'faults'>;
}

/** A column with this prefix is not read; the file of failed rows has such columns. */
export const commentMark = '#';

/** Reads the header of a CSV file: which fields its columns are. The faults name every column that cannot be. */
export function readHeader(columns: readonly string[], fields: RowFields, mapping: Mapping = {}): Header {
  const fieldOf = new Map(mapping.columns?.map(({ column, field }) => [column, field]));
  const { constants = [] } = mapping;
  // What has one value in every row is a further column, with the same cell in each row.
  const names = [...columns.map((name) => fieldOf.get(name) ?? name), ...constants.map(({ field }) => field)];
  const named = names.map((name) => (isRead(name, fields) ? { name, kind: cellKind(name, fields) } : undefined));
  const values = constants.map(({ value }) => value);
  const readCells: Header['readCells'] = (cells) =>
    fieldsOfRow(named, [...cells.slice(0, columns.length), ...values], mapping);
  return {
    faults: [
      ...headerFaults(names, fields, [...columns, ...constants.map(({ field }) => `set[${field}]`)]),
      ...strangers(columns, mapping),
      ...faultsOfConstants(columns, readCells),
    ],
    ignored: columns.filter((name) => !isRead(fieldOf.get(name) ?? name, fields)),
    fields: names,
    readCells,
  };
}

/** Columns that a mapping names and the file does not have. */
function strangers(columns: readonly string[], { columns: mapped = [] }: Mapping): FieldError[] {
  return mapped
    .filter(({ column }) => !columns.includes(column))
    .map(({ column }) => ({
      path: `map[${column}]`,
      kind: 'reference',
      ...message('imports.noSuchColumn'),
    }));
}

/** What is wrong with the values that every row has. */
function faultsOfConstants(columns: readonly string[], readCells: Header['readCells']): FieldError[] {
  const { faults = [] } = readCells(columns.map(() => ''));
  return faults.map(({ path, ...fault }) => ({ path: `set[${path}]`, ...fault }));
}

function isRead(name: string, { notRead }: RowFields): boolean {
  return !name.startsWith(commentMark) && !notRead.has(name);
}

/** The faults of the fields that columns are. `shown` has what the file or the mapping calls them. */
function headerFaults(columns: readonly string[], fields: RowFields, shown: readonly string[]): FieldError[] {
  if (columns.length > importLimits.columnsMax) {
    return [{ path: '', kind: 'maxItems', ...message('imports.tooManyColumns', { max: importLimits.columnsMax }) }];
  }
  const faults = columns.flatMap((name, index): FieldError[] => {
    const fault = (kind: string, what: Message) => [{ path: (shown[index] ?? name).slice(0, 100), kind, ...what }];
    if (name === '') return fault('required', message('imports.unnamedColumn', { index: index + 1 }));
    if (columns.indexOf(name) !== index && name !== commentMark) return fault('unique', message('imports.columnTwice'));
    if (!isRead(name, fields) || fields.prefixes.some((prefix) => name.startsWith(prefix))) return [];
    return isField(name, fields.body) ? [] : fault('additionalProperties', message('imports.unknownColumn'));
  });
  const missing = fields.required.filter((some) => !some.some((name) => columns.includes(name)));
  return [
    ...faults,
    ...missing.map((some) => ({
      path: some[0] ?? '',
      kind: 'required',
      ...message('imports.columnRequired', { columns: some.join(' or ') }),
    })),
  ];
}

/** Tells whether a column is a field, or a field within one that is an object. */
function isField(name: string, { properties }: TObject): boolean {
  const [first = '', ...rest] = name.split('.');
  const schema: TSchema | undefined = Object.hasOwn(properties, first) ? properties[first] : undefined;
  if (!schema) return false;
  if (rest.length === 0) return true;
  return schema.type === 'object' && rest.length < depthMax && !rest.some(isUnfitPart);
}

function isUnfitPart(part: string): boolean {
  const isRefused = part === '' || part.startsWith('$') || refusedKeys.some((key) => key === part);
  return isRefused || part.length > nameMax || hasControlCharacters(part);
}

/** What the cells of a column are, by the schema of its field. */
function cellKind(name: string, { body, extKind, prefixes, points, amounts }: RowFields): CellKind {
  if (points.includes(name)) return 'points';
  if (amounts.includes(name)) return 'amount';
  const prefix = prefixes.find((each) => name.startsWith(each));
  if (prefix !== undefined) return prefixKinds[prefix] ?? 'text';
  const [first = '', ...rest] = name.split('.');
  if (first === 'ext' && rest.length === 1) return extKinds[extKind(rest.join('.')) ?? 'text'];
  let schema: TSchema | undefined = body.properties[first];
  for (const part of rest) schema = schema?.properties?.[part];
  // Within an object of free fields any string is valid.
  return rest.length > 0 && !schema ? 'freeText' : kindOfSchema(schema);
}

const prefixKinds: Readonly<Record<string, CellKind>> = { 'balance:': 'points', 'tierUntil:': 'instant' };

const extKinds = { number: 'decimal', boolean: 'boolean', text: 'freeText' } as const;

const kinds: Readonly<Record<string, CellKind>> = {
  integer: 'whole',
  number: 'decimal',
  boolean: 'boolean',
  array: 'list',
  object: 'json',
};

function kindOfSchema(schema: TSchema | undefined): CellKind {
  if (schema?.['x-date'] === true) return 'instant';
  if (schema?.format === 'date') return 'day';
  if (schema?.type === 'string') return strictWords.some((word) => word in schema) ? 'text' : 'freeText';
  return kinds[String(schema?.type)] ?? 'text';
}

/** Keywords of schemas that restrict strings, so that white space at an end is never intended. */
const strictWords = ['enum', 'format', 'pattern', 'x-findable', 'x-objectId', 'x-timezone', 'x-currency'];

interface Column {
  name: string;
  kind: CellKind;
}

function fieldsOfRow(
  columns: readonly (Column | undefined)[],
  cells: readonly string[],
  forms: Mapping,
): Pick<FileRow, 'value' | 'faults'> {
  const value: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (!column || isBlank(cell)) continue;
    const { name, kind } = column;
    const read = readCell(cell, kind, forms);
    if ('fault' in read) faults.push({ path: name, ...read.fault });
    else put(value, name.includes(':') ? [name] : name.split('.'), read.value);
  }
  return faults.length > 0 ? { faults } : { value };
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [first = '', ...rest] = path;
  if (rest.length === 0) into[first] = value;
  else {
    const inner = into[first];
    const object = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
    into[first] = object;
    put(object as Record<string, unknown>, rest, value);
  }
}
