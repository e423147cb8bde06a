import { type TSchema, Type } from '@sinclair/typebox';
import { identifier, objectId, oneOf } from '#base/schema/atoms';
import type { Resource } from '#base/schema/resource';
import { keyMax } from '../keys/sentKey';
import { honoursKey, type QueryArgument, type Route } from '../route';
import { makeExample } from './makeExample';
import { type JsonSchema, openApiSchema, type SchemaNames } from './openApiSchema';

/** What all parts of the document need to know. */
export interface Context {
  names: SchemaNames;
  resolve(ref: string): JsonSchema;
  resources: readonly Resource[];
}

/** The media type of most bodies and answers. */
export const json = 'application/json';

/** The parameters of a route: in its path, its query and its headers. */
export function routeParameters(route: Route, context: Context): JsonSchema[] {
  return [...pathParameters(route, context), ...queryParameters(route, context), ...headerParameters(route, context)];
}

function pathParameters({ path, params = {} }: Route, { names }: Context): JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = params[name] ?? (/id$/i.test(name) ? objectId() : Type.String({ minLength: 1 }));
    return { name, in: 'path', required: true, schema: openApiSchema(schema, names, false) };
  });
}

function queryParameters({ query = {}, body, permission }: Route, context: Context): JsonSchema[] {
  const preprocess = {
    description: 'true: evaluate lookup and autoIncrement in the body',
    schema: oneOf(['false', 'true']),
  };
  return parameters('query', body && permission !== 'open' ? { ...query, preprocess } : query, context);
}

function headerParameters(route: Route, context: Context): JsonSchema[] {
  const { headers = {} } = route;
  return parameters('header', honoursKey(route) ? { ...headers, ...keyHeader } : headers, context);
}

const keyHeader = {
  'Idempotency-Key': {
    description: 'A repeated request with this key gets the first answer. Stored for 30 days',
    schema: identifier(keyMax),
  },
};

function parameters(place: string, all: Record<string, QueryArgument>, context: Context): JsonSchema[] {
  return Object.entries(all).map(
    ([name, { description, schema, required = false, isJson = false, isBracketed = false }]) => ({
      name,
      in: place,
      description,
      required,
      ...(isBracketed ? { style: 'deepObject', explode: true } : {}),
      ...(isJson ? { content: jsonContent(schema, context) } : { schema: openApiSchema(schema, context.names, false) }),
    }),
  );
}

function jsonContent(sent: TSchema, { names, resolve }: Context): JsonSchema {
  const schema = openApiSchema(sent, names, false);
  return { [json]: { schema, example: makeExample(schema, { resolve, isSparse: true }) } };
}
