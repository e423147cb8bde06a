import { type TProperties, Type } from '@sinclair/typebox';
import { anyValue, oneOf, record } from '#base/schema/atoms';
import type { Resource, Verb } from '#base/schema/resource';
import { readExt } from '#platform/recordWrites/readExt';
import type { RecordWrites } from '#platform/recordWrites/recordWrites';
import type { QueryArgument, Request, Route } from '../route';
import { listArguments, oneArguments } from './collectionArguments';
import type { CollectionOptions, Operation } from './collectionOptions';
import { type ReadOptions, readHandlers } from './readHandlers';
import { writeHandlers } from './writeHandlers';

/**
 * Makes the routes of a resource: reads in the query language, and writes that check references, unique indexes and
 * what refers to a record. `/count` comes before `/:id`, which would match it too.
 */
export function collectionRoutes<P extends TProperties, B>(
  writes: RecordWrites<P, B>,
  options: CollectionOptions,
): Route[] {
  const { resource, rules } = writes;
  const routes = [...readRoutes(resource, { ...rules, ...options }), ...writeRoutes(writes)];
  return documented(resource, options, routes, rules.guard !== undefined);
}

/** Makes the routes that only read the records of a resource. */
export function readingRoutes<P extends TProperties>(resource: Resource<P>, options: ReadingOptions): Route[] {
  return documented(resource, options, readRoutes(resource, options), false);
}

/** Options whose operations only read. */
type ReadingOptions = CollectionOptions & { operations: readonly Exclude<Operation, 'create' | 'update' | 'delete'>[] };

function documented(resource: Resource, options: CollectionOptions, routes: Draft[], isGuarded: boolean): Route[] {
  return routes
    .filter(({ operation }) => options.operations.includes(operation))
    .map(({ operation, ...route }) => ({
      ...route,
      ...(options.prefixes ? { prefixes: options.prefixes } : {}),
      errors: operationErrors(options, operation, isGuarded),
      permission: resource.permissions[verbs[operation]],
    }));
}

/** A guard refuses records that were merged or erased; the answer is 410. */
function operationErrors({ errors }: CollectionOptions, operation: Operation, isGuarded: boolean): number[] {
  const isOfOne = operation === 'read' || operation === 'update' || operation === 'delete';
  return [...(errors?.[operation] ?? []), ...(isGuarded && isOfOne ? [410] : [])];
}

const verbs: Record<Operation, Verb> = {
  list: 'read',
  count: 'read',
  read: 'read',
  create: 'create',
  update: 'update',
  delete: 'delete',
};

type Draft = Omit<Route, 'permission'> & { operation: Operation };

/** The request header of reads of one record that carry an ETag. */
export const ifNoneMatch: Record<string, QueryArgument> = {
  'If-None-Match': {
    description: 'ETag of the version that the client has; 304 when it is still current',
    schema: Type.String(),
  },
};

const ifMatch: Record<string, QueryArgument> = {
  'If-Match': {
    description:
      'ETag of the version to change, or several; 412 when the record has another version. * matches any version',
    schema: anyValue({ anyOf: [oneOf(['*']), Type.String({ minLength: 1, examples: ['"v1"'] })] }),
  },
};

/**
 * Says that `select` and `populate` change the answer. The document describes only whole records, so that generated
 * clients know their fields (decision 54).
 */
const selectionNote =
  'The schema is that of whole records. With `select` or `populate`, they have other fields or records';

function readRoutes<P extends TProperties, B>(resource: Resource<P>, options: ReadOptions<P, B>): Draft[] {
  const { answer } = resource;
  const { path = resource.path } = options;
  const { one, many } = inWords(resource);
  const handlers = readHandlers(resource, options);
  const query = listArguments(resource, options);
  return [
    {
      operation: 'list',
      method: 'GET',
      path: `/${path}`,
      summary: `List ${many}`,
      description:
        'Any field of a record is an argument too: field=value, with the prefixes ~ > >= < <= !=. ' +
        `${selectionNote} in place of ids; with \`distinct\`, the answer is a list of values.`,
      query,
      openQuery: true,
      responses: { 200: Type.Array(answer) },
      answerHeaders: { 200: ['Link'] },
      handle: handlers.list,
    },
    {
      operation: 'count',
      method: 'GET',
      path: `/${path}/count`,
      summary: `Count ${many}`,
      query,
      openQuery: true,
      responses: { 200: record({ count: Type.Integer({ minimum: 0 }) }) },
      handle: handlers.count,
    },
    {
      operation: 'read',
      method: 'GET',
      path: `/${path}/:id`,
      summary: `Read one ${one}`,
      description: `${selectionNote} in place of ids.`,
      query: oneArguments(resource),
      headers: ifNoneMatch,
      responses: { 200: answer },
      answerHeaders: { 200: ['ETag'], 304: ['ETag'] },
      handle: handlers.read,
    },
  ];
}

function writeRoutes<P extends TProperties, B>(writes: RecordWrites<P, B>): Draft[] {
  const { resource, createBody, updateBody } = writes;
  const { path, answer } = resource;
  const { one } = inWords(resource);
  const handlers = writeHandlers(writes);
  const extraFaults = async (request: Request) => (await readExt(resource, request.body, request, true)).faults;
  const update = {
    operation: 'update',
    path: `/${path}/:id`,
    description:
      'Only the sent fields change. null clears an optional field. What a read answered can be sent back with changes.',
    body: updateBody,
    // The handler parses the body, because it needs the stored record for that.
    parsesBody: true,
    isBodyOptional: true,
    headers: ifMatch,
    responses: { 200: answer },
    answerHeaders: { 200: ['ETag'] },
    handle: handlers.update,
  } as const;
  return [
    {
      operation: 'create',
      method: 'POST',
      path: `/${path}`,
      summary: `Create a new ${one}`,
      body: createBody,
      extraFaults,
      responses: { 201: answer },
      answerHeaders: { 201: ['ETag', 'Location'] },
      key: 'withEffect',
      handle: handlers.create,
    },
    { ...update, method: 'PUT', summary: `Change one ${one}` },
    { ...update, method: 'PATCH', summary: `Change one ${one}, as PUT does` },
    {
      operation: 'delete',
      method: 'DELETE',
      path: `/${path}/:id`,
      summary: `Delete one ${one}`,
      headers: ifMatch,
      responses: { 204: null },
      handle: handlers.remove,
    },
  ];
}

/** Returns the name of a resource as words: `purse policy` and `purse policies` for PursePolicy. */
function inWords({ name }: Pick<Resource, 'name'>): { one: string; many: string } {
  const one = name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return { one, many: /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s` };
}
