import type { TSchema } from '@sinclair/typebox';
import type { Resource } from '#base/schema/resource';
import { honoursKey, type Route, routePaths } from '../route';
import { makeExample } from './makeExample';
import { namedShapes } from './namedShapes';
import { errorResponses, errorSchemas, errorShape, errorStatuses, headerComponents, headerRefs } from './openApiErrors';
import { type Context, json, routeParameters } from './openApiParameters';
import { freeComponents, type JsonSchema, openApiSchema, type SchemaNames, translate } from './openApiSchema';
import { describeTags, tagsOfRoute } from './openApiTags';
import { recordedAnswer } from './recordedAnswer';

/** Input of {@link openApi}. */
export interface OpenApiSource {
  routes: readonly Route[];
  resources: readonly Resource[];
  version: string;
}

/** The description of what applies to every path. */
const introduction = `Activities in, points out, every award explained.

**New here?** Read the [guide](/docs/guide): it leads from the login to a redeemed reward. To try operations on
the page \`/docs\`, [log in](/docs#tag/sign-in/POST/api/v1/login) and put the token of the answer under *Authentication*.

Each operation stands here once, under one path. The member routes answer without \`/api/v1\` too, and aggregates have
further names. The descriptions say where else an operation answers.

Every answer carries \`X-Request-Id\`: the one sent (up to 100 letters, digits, \`_\`, \`.\`, \`-\`), or one made. A trailing
slash is tolerated. A wrong method on a known path answers 405 with \`Allow\`, an unknown path 404, both with the error
object. Answers are compressed for clients that accept that. A user who sends more than RATE_LIMIT requests a minute
gets 429 with \`Retry-After\`. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell what is left.`;

/** Builds the OpenAPI 3.1 document of these routes. */
export function openApi({ routes, resources, version }: OpenApiSource): Record<string, unknown> {
  const names = schemaNames(routes, resources);
  const schemas = componentSchemas(names, namedShapes(answerSchemas(routes, resources)));
  const context = { names, resolve: (ref: string) => schemas[ref.replace(schemaPrefix, '')] ?? {}, resources };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const [template = ''] = pathTemplates(route);
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: operation(route, context) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Loyalty Engagement Service', version, description: introduction },
    servers: [{ url: '/' }],
    ...describeTags(routes, resources),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      headers: headerComponents,
      responses: errorResponses(),
      schemas: reachable(schemas, paths),
    },
  };
}

/**
 * Returns the full paths of a route as the document writes them. It describes only the first. A client made from it
 * would otherwise have every operation of members twice.
 */
export function pathTemplates(route: Pick<Route, 'path' | 'aliases' | 'prefixes'>): string[] {
  return routePaths(route).map((path) => path.replace(/:(\w+)/g, '{$1}'));
}

const schemaPrefix = '#/components/schemas/';

const bodySuffix = /(?:Create|Update)$/;

/** The names of the schemas of records and bodies of resources. Each named schema appears once, under its name. */
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

function answerSchemas(routes: readonly Route[], resources: readonly Resource[]): TSchema[] {
  const own = routes.flatMap(({ responses }) => Object.values(responses).filter((schema) => schema !== null));
  return [...own, ...resources.map(({ answer }) => answer)];
}

function componentSchemas(names: SchemaNames, shapes: ReadonlyMap<string, TSchema>): Record<string, JsonSchema> {
  const own = [...names].map(([schema, name]) => [name, translate(schema, names, !bodySuffix.test(name))]);
  const shared = [...shapes].map(([name, schema]) => [name, translate(schema, names, true)]);
  return { ...Object.fromEntries(shared), ...Object.fromEntries(own), ...errorSchemas(), ...freeComponents };
}

/** Leaves out the records that no route answers, such as sessions. */
function reachable(schemas: Record<string, JsonSchema>, paths: object): Record<string, JsonSchema> {
  const errors = errorSchemas();
  const found = new Set<string>(Object.keys(errors));
  const waiting = [JSON.stringify(paths), JSON.stringify(errors)];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(JSON.stringify(schemas[name]));
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)));
}

function neededFor(permission: string): string {
  if (permission === 'open') return 'Needs no token.';
  return permission === 'any' ? 'Needs a token.' : `Needs the permission \`${permission}\`.`;
}

function operation(route: Route, context: Context): JsonSchema {
  const { summary, description, permission, deprecated } = route;
  const instead =
    deprecated && `Deprecated since ${deprecated.since}, gone from ${deprecated.sunset} on: ${deprecated.instead}.`;
  return {
    operationId: operationId(route),
    tags: tagsOfRoute(route, context.resources),
    summary,
    description: [instead, description, neededFor(permission), otherPaths(route)].filter(Boolean).join(' '),
    ...(deprecated ? { deprecated: true } : {}),
    security: permission === 'open' ? [] : [{ token: [] }],
    parameters: routeParameters(route, context),
    ...requestBody(route, context),
    responses: responses(route, context),
  };
}

function otherPaths(route: Route): string | undefined {
  const [, ...others] = pathTemplates(route);
  return others.length > 0 ? `Also answers at ${others.map((path) => `\`${path}\``).join(' and ')}.` : undefined;
}

/** Returns for example `getMembersById`. It is unique, because method and path together are. */
function operationId({ method, path }: Route): string {
  const words = path.split('/').filter(Boolean);
  const named = words.map((word) => (word.startsWith(':') ? `By${pascal(word.slice(1))}` : pascal(word)));
  return `${method.toLowerCase()}${named.join('')}`;
}

function pascal(word: string): string {
  return word
    .split(/\W/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/**
 * Documents JSON only, because a generator of Python clients makes faulty code for a body with several media types.
 */
function requestBody({ body, receives, isBodyOptional = false }: Route, context: Context): JsonSchema {
  if (receives) {
    const { types, example } = receives;
    const file = { schema: { type: 'string', format: 'binary' }, example };
    return { requestBody: { required: true, content: { [types[0]]: file } } };
  }
  if (!body) return {};
  const schema = openApiSchema(body, context.names, false);
  const example = makeExample(schema, { resolve: context.resolve, isSparse: true });
  return { requestBody: { required: !isBodyOptional, content: { [json]: { schema, example } } } };
}

function responses(route: Route, context: Context): JsonSchema {
  const errors = errorStatuses(route).map((status) => [status, { $ref: `#/components/responses/Error${status}` }]);
  const own = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      ...success(route, Number(status)),
      ...(schema ? { content: content(route, Number(status), schema, context) } : {}),
    },
  ]);
  const notModified = 'If-None-Match' in (route.headers ?? {}) ? [[304, success(route, 304)]] : [];
  return Object.fromEntries([...errors, ...own, ...notModified]);
}

const successMeanings: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted, not complete',
  204: 'Success, without a body',
  302: 'The browser is led on',
  304: 'The version that If-None-Match names is the current one',
};

function success(route: Route, status: number): JsonSchema {
  const { answerHeaders = {} } = route;
  return {
    description: successMeanings[status] ?? 'Not ready',
    headers: headerRefs(...(answerHeaders[status] ?? []), ...(honoursKey(route) ? ['Idempotent-Replayed'] : [])),
  };
}

function content(route: Route, status: number, schema: TSchema, { names, resolve }: Context): JsonSchema {
  const { produces = json } = route;
  const types = produces.split(',').map((type) => type.split(';')[0]?.trim() ?? type);
  const translated = openApiSchema(schema, names, true);
  const example = recordedAnswer(route, status, schema, names) ?? makeExample(translated, { resolve, isSparse: false });
  return Object.fromEntries(types.map((type) => [type, { schema: translated, example }]));
}
