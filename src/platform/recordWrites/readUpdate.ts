import { isDeepStrictEqual } from 'node:util';
import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import { type FieldError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { isPlainObject } from '#base/common/plainObject';
import { copyJson } from '#base/schema/copyJson';
import { compileWithoutNulls } from '#base/schema/nulls';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import type { Doc, Resource } from '#base/schema/resource';
import { isReadOnly, isSame, withoutReadOnly } from '#base/schema/roundTrip';
import { type ReadExt, readExt } from './readExt';
import type { RecordRules } from './recordRules';
import { visible } from './storedRecord';
import type { OrgContext } from './writeContext';

/**
 * Reads the body of an update against the record that it changes. The returned body holds only what changes, parsed; a
 * field that is cleared is there as undefined.
 * @throws ServiceError 1200 naming every failing field; extension fields that fail alone are returned
 */
export type ReadUpdate<P extends TProperties> = (
  previous: Doc<P>,
  sent: unknown,
  context: OrgContext,
) => Promise<ReadExt>;

/**
 * Makes the reader of updates of a resource (docs/decisions/0012). A field that is sent as it is changes nothing, so
 * that a client can send back what it read. Read-only fields that differ are refused.
 */
export function createReadUpdate<P extends TProperties, B>(
  resource: Resource<P>,
  { updateBody: schema = resource.updateBody, present }: Pick<RecordRules<P, B>, 'updateBody' | 'present'>,
): ReadUpdate<P> {
  const both = { body: schema, answer: resource.answer };
  const changesOf = createChangeReader(schema);
  return async (previous, sent, context) => {
    const answer = visible(resource, previous);
    const stored = asJson(answer);
    let changes = changesOf(withoutReadOnly(both, sent, stored), stored);
    if (present && changes.faults.some(({ kind }) => kind === 'readOnly')) {
      const [shown = {}] = await present([answer], { ...context, query: {} });
      changes = changesOf(withoutReadOnly(both, sent, asJson(shown)), stored);
    }
    const { fields, faults } = changes;
    const isExtCleared = isPlainObject(fields) && 'ext' in fields && fields.ext === undefined;
    const read = await readExt(resource, fields, context, isExtCleared);
    if (faults.length > 0) throw validationError([...faults, ...read.faults]);
    const { ext, ...others } = read.body as Body;
    // Dates in `ext` have one form only now.
    return isDeepStrictEqual(ext, stored.ext) ? { body: others, faults: [] } : read;
  };
}

type Body = Record<string, unknown>;

interface Changes {
  /** The fields that change: parsed, or as sent when there are faults. A field that is cleared is undefined. */
  fields: unknown;
  faults: readonly FieldError[];
}

/** Makes the function that tells what a body changes in the stored record. */
function createChangeReader(schema: TObject): (sent: unknown, stored: Body) => Changes {
  const parse = compileParse(schema);
  const { properties } = schema;
  const withoutNulls = new Map(Object.entries(properties).map(([name, field]) => [name, compileWithoutNulls(field)]));
  return (sent, stored) => {
    const set: Body = {};
    const cleared: [string, undefined][] = [];
    const missing: FieldError[] = [];
    for (const [name, value] of Object.entries(isPlainObject(sent) ? sent : {})) {
      const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const next = value === null ? field?.['x-default'] : withoutNulls.get(name)?.(value);
      // The schema refuses fields that it does not know, and the read-only ones that are left.
      if (!field || isReadOnly(field)) set[name] = value;
      else if (value === null && field['x-required']) missing.push(missingField(name));
      else if (isUnchanged(field, next, stored[name])) continue;
      else if (next === undefined) cleared.push([name, undefined]);
      else set[name] = next;
    }
    const sentSet = isPlainObject(sent) ? set : sent;
    const parsed = parseOrFaults(() => parse(copyJson(sentSet)));
    if ('faults' in parsed) return { fields: sentSet, faults: [...parsed.faults, ...missing] };
    return { fields: { ...parsed.value, ...Object.fromEntries(cleared) }, faults: missing };
  };
}

/**
 * A string that an earlier version stored may be replaced by its present stored form, so only the identical string is
 * unchanged.
 */
function isUnchanged(field: TSchema, next: unknown, stored: unknown): boolean {
  return isSame(field, next, stored) && ((!field['x-findable'] && !field['x-timezone']) || next === stored);
}

function missingField(path: string): FieldError {
  return { path, kind: 'required', ...message('schema.required') };
}

/** A record as an answer shows it. */
function asJson(record: object): Body {
  return JSON.parse(JSON.stringify(record));
}
