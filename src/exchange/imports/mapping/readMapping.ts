import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { parseDecimal } from '#base/common/cells/cellNumbers';
import { invalidField, malformed } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { compileParse } from '#base/schema/parse';
import type { ImportKindName } from '#records/imports/importKindNames';
import { importMappingResource } from '#records/imports/importMapping';
import { type Mapping, mappingShape } from '#records/imports/mappingShape';
import type { FileFormat } from '../import';
import { requireDateFormat } from './dateFormat';
import { requireDistinct } from './requireDistinct';

/** A mapping as it was requested: by the name of a stored one, and by arguments, which take precedence. */
export interface RequestedMapping {
  name?: string;
  mapping: Mapping;
}

const parseMapping = compileParse(mappingShape);

/**
 * Reads the mapping of the arguments of an import.
 * @throws ServiceError 1210 when the format has no columns; 1200 naming every argument that cannot be
 */
export function readRequestedMapping(query: Readonly<Record<string, string>>, format: FileFormat): RequestedMapping {
  const columns = bracketed(query, 'map').map(([column, field]) => ({
    column: column.trim().normalize('NFC'),
    field,
  }));
  const constants = bracketed(query, 'set').map(([field, value]) => ({ field, value }));
  const { mapping: name, dateFormat, timezone, decimalComma, amountFactor, pointsFactor } = query;
  const sent = {
    ...(columns.length > 0 ? { columns } : {}),
    ...(constants.length > 0 ? { constants } : {}),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(decimalComma === undefined ? {} : { decimalComma: decimalComma === 'true' }),
    ...(amountFactor === undefined ? {} : { amountFactor: parseDecimal(amountFactor) ?? amountFactor }),
    ...(pointsFactor === undefined ? {} : { pointsFactor: parseDecimal(pointsFactor) ?? pointsFactor }),
  };
  if (format !== 'csv' && (name !== undefined || Object.keys(sent).length > 0)) {
    throw malformed(message('imports.mappingOfNdjson'));
  }
  const mapping = parseMapping(sent);
  requireDateFormat(mapping);
  requireDistinct(mapping);
  return { mapping, ...(name === undefined ? {} : { name }) };
}

function bracketed(query: Readonly<Record<string, string>>, name: string): [string, string][] {
  return Object.entries(query).flatMap(([argument, value]) =>
    argument.startsWith(`${name}[`) ? [[argument.slice(name.length + 1, -1), value] as [string, string]] : [],
  );
}

/**
 * The mapping of an import: a kept one, with what the arguments say in place of its own.
 * @throws ServiceError 1200 when no mapping of this kind has the name, or it names a column twice
 */
export async function wholeMapping(
  db: Connection,
  org: ObjectId,
  kind: ImportKindName,
  { name, mapping }: RequestedMapping,
): Promise<Mapping> {
  if (name === undefined) return mapping;
  const kept = await collectionOf(db, importMappingResource).findOne({ org, name, kind });
  if (!kept) throw invalidField('mapping', 'reference', message('imports.noMapping', { kind }));
  const { columns = [], constants = [], dateFormat, timezone, decimalComma, amountFactor, pointsFactor } = kept;
  const own = Object.entries({ dateFormat, timezone, decimalComma, amountFactor, pointsFactor }).filter(
    ([, value]) => value !== undefined,
  );
  const named = new Set(mapping.columns?.map(({ column }) => column));
  const set = new Set(mapping.constants?.map(({ field }) => field));
  const whole = {
    ...Object.fromEntries(own),
    ...mapping,
    columns: [...columns.filter(({ column }) => !named.has(column)), ...(mapping.columns ?? [])],
    constants: [...constants.filter(({ field }) => !set.has(field)), ...(mapping.constants ?? [])],
  };
  // A mapping that an earlier version kept may name a column twice.
  requireDistinct(whole);
  return whole;
}
