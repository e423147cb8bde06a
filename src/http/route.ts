import type { TSchema } from '@sinclair/typebox';
import type { Principal } from '../auth/authenticate';
import type { Backing } from '../backing/backing';
import type { FieldError } from '../common/errors';

/** What a handler gets: the request already authenticated, permitted and parsed. */
export interface Request {
  services: Backing;
  /** Who asks; open routes have none, and reading it there fails. */
  principal: Principal;
  params: Record<string, string>;
  /** Raw query arguments; each at most once. */
  query: Record<string, string>;
  /**
   * The body after pre-processing, parsed by the schema `body` (Dates and ObjectIds in place); with `parsesBody` not yet
   * parsed; undefined without a body schema. A request without a body has an empty object.
   */
  body: unknown;
  /** The JSON body exactly as sent, before pre-processing and defaults, for hashing. */
  rawBody: unknown;
  headers: Record<string, string | undefined>;
  requestId: string;
  /** Address of the peer of the connection, which may be a proxy. */
  remoteAddress: string;
  now: Date;
  /** When it is answered with 503 if it is not answered before, as of `elapsedMs`. */
  endsAt: number;
}

/** A request to a handler that takes more than every use case does. */
export type RequestWith<More> = Request & { services: More };

/**
 * What a handler answers; `body` undefined answers no body. A string with a `Content-Type` header is sent as it is,
 * everything else as JSON.
 */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A query argument as documented; parsing is the handler's or the query language's. */
export interface QueryArgument {
  description: string;
  schema: TSchema;
  required?: boolean;
  /** The argument is the JSON text of a value of `schema`; one whose schema is a list is words with commas between. */
  isJson?: boolean;
}

/**
 * One endpoint. The mount, the OpenAPI document, the permission table and the test that tries every route without a
 * token all read this object.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `:name` parameters; `prefixes` adds other places. */
  path: string;
  /** Prefixes under which the route answers; default `['/api/v1']`. */
  prefixes?: readonly string[];
  /** `resource:verb`; `open` needs no token; `any` needs a token but no permission. */
  permission: string;
  summary: string;
  description?: string;
  /** Schemas of path parameters that are not record ids; for documentation. */
  params?: Record<string, TSchema>;
  /** Parsed before the handler; failing fields answer 422. */
  body?: TSchema;
  /** True when a request may come without a body; for documentation. */
  isBodyOptional?: boolean;
  /** True when the handler parses the body itself, because how depends on what is sent; `body` then documents. */
  parsesBody?: boolean;
  /** What else is wrong with a body that the schema refuses, so that all failing fields are told at once. */
  faultsBeside?(request: Request): Promise<FieldError[]>;
  /** Media types of the body besides JSON, for login's form. */
  bodyTypes?: readonly string[];
  /** Largest body in bytes when it differs from the setting. */
  bodyMaxBytes?: number;
  /** Query arguments the route knows; others are refused with 400. `collection` routes know field names too. */
  query?: Record<string, QueryArgument>;
  /** True for reads in the query language, whose arguments may be any field of the resource. */
  openQuery?: boolean;
  /** Request headers that mean something to this route; for documentation. */
  headers?: Record<string, QueryArgument>;
  /** Headers of answers by status, of those every answer has not; for documentation. */
  answerHeaders?: Record<number, readonly string[]>;
  /** Error statuses beyond those that follow from the rest of this object; for documentation. */
  errors?: readonly number[];
  /** Milliseconds in which it answers, when that may be longer than {@link timeouts} says for all; say why. */
  answerMaxMs?: number;
  /** Media type of the answer when it is not JSON; such a route does not look at `Accept`. */
  produces?: string;
  /** Statuses with the schema of their body; null for none. */
  responses: Record<number, TSchema | null>;
  handle(request: Request): Promise<Answer>;
}

/** Declares a route; exists for its type check at the place of declaration. */
export function defineRoute(route: Route): Route {
  return route;
}

/** The prefix of every route that names none (SPEC "Versioning"). */
export const apiPrefix = '/api/v1';

/** Gives the full paths that a route answers under, the documented one first. */
export function pathsOf({ path, prefixes = [apiPrefix] }: Pick<Route, 'path' | 'prefixes'>): string[] {
  return prefixes.map((prefix) => `${prefix}${path}`);
}

/** Answers 200 with a body. */
export function ok(body: unknown, headers?: Record<string, string>): Answer {
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

/** Largest body of a route that asks for no token: what strangers send costs next to nothing. */
const openMaxBytes = 4096;

/** Largest body of a route in bytes. */
export function bodyMaxBytesOf({ permission, bodyMaxBytes }: Route, defaultMaxBytes: number): number {
  return permission === 'open' ? openMaxBytes : (bodyMaxBytes ?? defaultMaxBytes);
}
