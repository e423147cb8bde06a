import { type TSchema, Type } from '@sinclair/typebox';
import { errorCodes } from '#base/common/errors';
import { integerMax, list, objectId, record } from '#base/schema/atoms';
import { messageFields } from '#base/schema/messageShape';
import { apiPrefix, hasBody, honoursKey, type Route } from '../route';
import type { JsonSchema } from './openApiSchema';

/** The error object of SPEC "Errors". */
export const errorShape: TSchema = record({
  code: Type.Integer({ description: 'Application error code' }),
  message: Type.String({ examples: ['Validation Error'] }),
  ...messageFields,
  status: Type.Integer({ description: 'Copy of the HTTP status' }),
  requestId: Type.String({ examples: ['order-17'] }),
  errors: Type.Optional(
    list(
      record({
        message: Type.String({ examples: ['is required'] }),
        ...messageFields,
        kind: Type.String({ description: 'Kind of error', examples: ['required'] }),
        path: Type.String({ description: 'Dotted path of the field', examples: ['lineItems.0.quantity'] }),
      }),
      100,
    ),
  ),
  error: Type.Optional(
    record({ name: Type.String(), code: Type.Optional(Type.Union([Type.String(), Type.Integer()])) }),
  ),
  mergedInto: Type.Optional(objectId('Member')),
  programs: Type.Optional(
    record(
      {
        published: list(Type.String(), integerMax, { description: 'Their rules are those of the files' }),
        kept: list(Type.String(), integerMax, { description: 'Their files have faults; their rules in force stay' }),
        withoutRules: list(Type.String(), integerMax, { description: 'Their files have faults; no rule is in force' }),
      },
      { description: 'Codes of programs: what a load of rule files with faults did' },
    ),
  ),
});

const meanings: Record<number, string> = {
  400: 'Malformed syntax or query argument',
  401: 'Credentials incorrect, or token missing, malformed, expired or ended',
  403: 'Permission missing',
  404: 'Not found',
  405: 'Wrong method on a known path; Allow names the right ones',
  406: 'Answers are application/json only',
  409: 'The first request of this key is still in flight',
  410: 'Removed: merged or erased',
  412: 'The record has another version than If-Match names',
  413: 'Body too large',
  415: 'Media type of the body not supported',
  422: 'Validation error; `errors` names the fields',
  429: 'Too many requests; see Retry-After',
  500: 'Unexpected condition',
  503: 'Overloaded, or a backing service does not answer; see Retry-After',
};

/** The headers of answers, by their names under `components`. */
export const headerComponents: Record<string, JsonSchema> = {
  'X-Request-Id': header('The id of the request: the one that was sent, or a new one', { required: true }),
  'Retry-After': header('Seconds to wait', { schema: { type: 'integer', minimum: 0 } }),
  'WWW-Authenticate': header('How to authenticate'),
  ETag: header('Version of the record, for If-None-Match and If-Match'),
  Link: header('The next page, `rel="next"`, when this one is full'),
  'Content-Disposition': header('Name of the file'),
  'Set-Cookie': header('Binds the sign-in to this browser'),
  Location: header('Where the record or its state can be read'),
  'Idempotent-Replayed': header('true when this is the answer to an earlier request with the same key'),
};

function header(description: string, more: JsonSchema = {}): JsonSchema {
  return { description, schema: { type: 'string' }, ...more };
}

/** Returns references to headers under `components`. */
export function headerRefs(...names: string[]): JsonSchema {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const moreHeaders: Record<number, string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] };

/** Makes the schemas of errors, one for each status, with the application codes of that status. */
export function errorSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(meanings).map((status) => [`Error${status}`, errorSchema(Number(status))]));
}

/** Makes the error answers, one for each status. */
export function errorResponses(): JsonSchema {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, description]) => [
      `Error${status}`,
      errorResponse(Number(status), description),
    ]),
  );
}

/** The fields have types, because generators of clients merge them with those of the error object. */
function errorSchema(status: number): JsonSchema {
  const own = { status: { type: 'integer', enum: [status] }, code: { type: 'integer', enum: codesWithStatus(status) } };
  return { allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties: own }] };
}

function codesWithStatus(status: number): number[] {
  return Object.values(errorCodes).flatMap((each) => (each.status === status ? [each.code] : []));
}

function errorResponse(status: number, description: string): JsonSchema {
  const schema = { $ref: `#/components/schemas/Error${status}` };
  const example = {
    code: codesWithStatus(status).at(-1),
    message: status === 422 ? 'Validation Error' : description,
    status,
    requestId: 'order-17',
    ...(status === 422 ? { errors: [{ message: 'is required', kind: 'required', path: 'lineItems.0.quantity' }] } : {}),
  };
  return {
    description,
    headers: headerRefs(...(moreHeaders[status] ?? [])),
    content: { 'application/json': { schema, example } },
  };
}

/**
 * Returns the error statuses that a route can answer: those that follow from its fields, and those that it names
 * itself.
 */
export function errorStatuses(route: Route): number[] {
  const { permission, path, method, query, openQuery = false, headers = {}, errors = [] } = route;
  const isGuarded = permission !== 'open';
  const statuses = [
    400,
    ...(isGuarded ? [401, 429, 503] : []),
    ...(permission.includes(':') ? [403] : []),
    ...(path.includes(':') ? [404] : []),
    ...(answersJsonOnly(route) ? [406] : []),
    ...('If-Match' in headers ? [412] : []),
    ...(hasBody(route) ? [413, 415, 422] : []),
    ...(method === 'DELETE' ? [422] : []),
    ...(honoursKey(route) ? [409, 422] : []),
    ...(query || openQuery || isGuarded ? [500] : []),
    ...errors,
  ];
  return [...new Set(statuses)].sort((left, right) => left - right);
}

/** Only routes under `/api/v1` check `Accept` (SPEC "What the service does"). */
function answersJsonOnly({ produces, prefixes = [apiPrefix] }: Route): boolean {
  return produces === undefined && prefixes.includes(apiPrefix);
}
