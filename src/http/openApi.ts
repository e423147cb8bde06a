import type { TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import type { Resource } from '../db/resource';
import { list, objectId, oneOf, record } from '../schema/atoms';
import { type JsonSchema, openApiSchema, type SchemaNames, translate } from './openApiSchema';
import { pathsOf, type QueryArgument, type Route } from './route';

/** The error object of SPEC "Errors". */
const errorShape = record({
  code: Type.Integer({ description: 'Application error code' }),
  message: Type.String(),
  status: Type.Integer({ description: 'Copy of the HTTP status' }),
  requestId: Type.String(),
  errors: Type.Optional(list(record({ message: Type.String(), kind: Type.String(), path: Type.String() }), 100)),
  error: Type.Optional(
    record({ name: Type.String(), code: Type.Optional(Type.Union([Type.String(), Type.Integer()])) }),
  ),
  mergedInto: Type.Optional(objectId('Member')),
});

const errorMeanings: Record<number, string> = {
  400: 'Malformed syntax or query argument',
  401: 'Token missing, malformed, expired or ended',
  403: 'Permission missing',
  404: 'Not found',
  406: 'Answers are application/json only',
  409: 'The first request of this key is still in flight',
  410: 'Removed: merged or erased',
  412: 'The record has another version',
  413: 'Body too large',
  415: 'Media type of the body not supported',
  422: 'Validation error',
  429: 'Too many requests; see Retry-After',
  500: 'Unexpected condition',
  503: 'A backing service does not answer; see Retry-After',
};

/** What the document is made from. */
export interface OpenApiSource {
  routes: readonly Route[];
  resources: readonly Resource[];
  version: string;
}

/** Builds the OpenAPI 3.1 document of these routes. */
export function openApi({ routes, resources, version }: OpenApiSource): Record<string, unknown> {
  const names = schemaNames(routes, resources);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    for (const [index, path] of pathsOf(route).entries()) {
      const template = path.replace(/:(\w+)/g, '{$1}');
      paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation(route, names, index) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Loyalty Engagement Service',
      version,
      description: 'Activities in, points out, every award explained.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: Object.fromEntries([...names].map(([schema, name]) => [name, translate(schema, names, !isBody(name))])),
    },
  };
}

const bodySuffix = /(?:Create|Update)$/;

function isBody(name: string): boolean {
  return bodySuffix.test(name);
}

/** Records and bodies of resources stand once, under their names. */
function schemaNames(routes: readonly Route[], resources: readonly Resource[]): SchemaNames {
  const used = new Set(routes.map(({ body }) => body));
  const named = new Map<TSchema, string>([[errorShape, 'Error']]);
  for (const { name, answer, createBody, updateBody } of resources) {
    named.set(answer, name);
    if (used.has(createBody)) named.set(createBody, `${name}Create`);
    if (used.has(updateBody)) named.set(updateBody, `${name}Update`);
  }
  return named;
}

function operation(route: Route, names: SchemaNames, prefixIndex: number): JsonSchema {
  const { summary, description, permission } = route;
  const needs = permission.includes(':') ? `Needs the permission \`${permission}\`.` : undefined;
  return {
    operationId: operationId(route, prefixIndex),
    tags: [tagOf(route)],
    summary,
    description: [description, needs].filter(Boolean).join(' '),
    security: permission === 'open' ? [] : [{ token: [] }],
    parameters: [...pathParameters(route, names), ...queryParameters(route, names)],
    ...requestBody(route, names),
    responses: responses(route, names),
  };
}

/** For example `getMembersById`; unique, since method and path are. */
function operationId({ method, path }: Route, prefixIndex: number): string {
  const words = path.split('/').filter(Boolean);
  const named = words.map((word) => (word.startsWith(':') ? `By${pascal(word.slice(1))}` : pascal(word)));
  return `${method.toLowerCase()}${named.join('')}${prefixIndex > 0 ? 'Unprefixed' : ''}`;
}

function pascal(word: string): string {
  return word
    .split(/\W/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? '';
}

function pathParameters({ path, params = {} }: Route, names: SchemaNames): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema =
      params[name] ?? (/id$/i.test(name) && name !== 'externalTxnId' ? objectId() : Type.String({ minLength: 1 }));
    return { name, in: 'path', required: true, schema: openApiSchema(schema, names, false) };
  });
}

function queryParameters({ query = {}, body, method, permission }: Route, names: SchemaNames): JsonSchema[] {
  const preprocess = {
    description: 'true: evaluate lookup and autoIncrement in the body',
    schema: oneOf(['true', 'false']),
  };
  const all: Record<string, QueryArgument> =
    body && method !== 'GET' && permission !== 'open' ? { ...query, preprocess } : query;
  return Object.entries(all).map(([name, { description, schema, required = false }]) => ({
    ...{ name, in: 'query', description, required },
    schema: openApiSchema(schema, names, false),
  }));
}

function requestBody({ body, bodyTypes = [], isBodyOptional = false }: Route, names: SchemaNames): JsonSchema {
  if (!body) return {};
  const schema = openApiSchema(body, names, false);
  const types = ['application/json', ...bodyTypes];
  return {
    requestBody: { required: !isBodyOptional, content: Object.fromEntries(types.map((type) => [type, { schema }])) },
  };
}

function responses(route: Route, names: SchemaNames): JsonSchema {
  const own = Object.entries(route.responses).map(([status, schema]) => [
    status,
    schema
      ? { description: 'Success', content: { [mediaType(route)]: { schema: openApiSchema(schema, names, true) } } }
      : { description: 'Success, without a body' },
  ]);
  const error = { 'application/json': { schema: openApiSchema(errorShape, names, true) } };
  const errors = errorStatuses(route).map((status) => [status, { description: errorMeanings[status], content: error }]);
  return Object.fromEntries([...errors, ...own]);
}

function mediaType({ produces = 'application/json' }: Route): string {
  return produces.split(';')[0] ?? produces;
}

function errorStatuses({ permission, path, body, method, query, openQuery }: Route): number[] {
  return [
    400,
    ...(permission === 'open' && !body ? [] : [401]),
    ...(permission.includes(':') ? [403] : []),
    ...(path.includes(':') || query || openQuery || body ? [404] : []),
    ...(body ? [409, 413, 415] : []),
    ...(path.includes(':') ? [410] : []),
    ...(method === 'GET' || method === 'POST' ? [] : [412]),
    ...(body || method === 'DELETE' || method === 'POST' ? [422] : []),
    ...[406, 429, 500, 503],
  ];
}
