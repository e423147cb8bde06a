import type { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import type { ClientSession } from 'mongoose';
import type { Clock } from '#base/common/clock';
import type { FieldError } from '#base/common/errors';
import type { TagName } from '#base/schema/tags';
import type { Principal } from '#platform/auth/principal';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';

/** The request that a handler gets: authenticated, permitted and parsed. */
export interface Request {
  services: Infrastructure;
  /** The authenticated user. Open routes have none; reading it there throws. */
  principal: Principal;
  params: Record<string, string>;
  /** The raw query arguments. Each occurs at most once. */
  query: Record<string, string>;
  /**
   * The body after pre-processing, parsed by the schema `body` (with Dates and ObjectIds). With `parsesBody` it is not
   * yet parsed; without a body schema it is undefined. A request that has no body has an empty object here.
   */
  body: unknown;
  /** The JSON body exactly as it was sent, before pre-processing and defaults. It is for hashing. */
  rawBody: unknown;
  headers: Record<string, string | undefined>;
  requestId: string;
  /** The context of the request's span, when its trace is recorded. */
  traceparent?: string | undefined;
  /** Address of the other end of the connection, which may be a proxy. */
  remoteAddress: string;
  /** The time of the org, by `services.clock`. In a sandbox this is a clock of its own. */
  now: Date;
  /** The machine's clock, which no sandbox moves. Sessions, keys and leases use it. */
  machineClock: Clock;
  /** When the service gives up and answers with 503, as a value of `elapsedMs`. */
  endsAt: number;
  /**
   * Stores the answer under the request's key, in the transaction of its effect. Present when the request has an
   * Idempotency-Key and its route's key is `withEffect`; then that transaction must call it.
   */
  keepAnswer?: (answer: Answer, session: ClientSession) => Promise<void>;
}

/** A request for a handler that needs more services than every use case does. */
export type RequestWith<More> = Request & { services: More };

/**
 * What a handler answers. Without `body` the answer has no body. A string or a stream with a `Content-Type` header is
 * sent as it is, everything else as JSON. When a stream fails, the connection is cut, so that the client sees it.
 */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A body that a route has received as a stream. */
export interface Received {
  /** What the handler gets as the body. */
  body: unknown;
  /** Replaces the body when a repeated request is compared with the first. */
  fingerprint: unknown;
  /** Called when the work has ended, also by an error or after a late answer. It removes what no handler has taken over. */
  release(): Promise<void>;
}

/** Receives the body of a request while it arrives. The stream ends early with an error when the client breaks off. */
export type Receive = (request: Request, stream: Readable) => Promise<Received>;

/** A documented query argument. The handler or the query language parses it. */
export interface QueryArgument {
  description: string;
  schema: TSchema;
  required?: boolean;
  /**
   * True when the argument is the JSON text of a value of `schema`. Otherwise an argument whose schema is a list
   * consists of words, separated by commas or each in an argument of its own.
   */
  isJson?: boolean;
  /** True when it is sent as `name[key]=value`, several times with other keys. */
  isBracketed?: boolean;
}

/**
 * How a POST honours the header Idempotency-Key (docs/design/http.md). The answer is stored:
 * - `withEffect`: in the transaction of the effect, by `Request.keepAnswer`;
 * - `repeatable`: after the effect. The handler may run again after a crash, because it never repeats what is done;
 * - `byHandler`: by the handler itself, as a submission.
 *
 * With `changesNothing` the header has no meaning. With `refused` it is answered with 400.
 */
export type KeyUse = 'withEffect' | 'repeatable' | 'byHandler' | 'changesNothing' | 'refused';

/**
 * One endpoint. The mount, the OpenAPI document, the permission table and the test that tries every route without a
 * token all read this object.
 */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below each of `prefixes`, with `:name` parameters. */
  path: string;
  /** Prefixes under which the route answers; default `['/api/v1']`. */
  prefixes?: readonly string[];
  /** Other paths below each of `prefixes` under which the route answers too. */
  aliases?: readonly string[];
  /** `resource:verb`; `open` needs no token; `any` needs a token but no permission. */
  permission: string;
  /** Its tag in the OpenAPI document; default: the tag of the resource whose path it begins with. */
  tag?: TagName;
  summary: string;
  description?: string;
  /** Schemas of path parameters that are not record ids; for documentation. */
  params?: Record<string, TSchema>;
  /** Parsed before the handler; failing fields answer 422. */
  body?: TSchema;
  /** True when a request may come without a body; for documentation. */
  isBodyOptional?: boolean;
  /**
   * True when the handler parses the body itself, because the schema depends on what is sent. Then `body` is only
   * documentation.
   */
  parsesBody?: boolean;
  /** Returns further faults of a body that the schema refuses, so that one answer names all failing fields. */
  extraFaults?(request: Request): Promise<FieldError[]>;
  /** Media types of the body in addition to JSON, for login's form. The description of the route names them. */
  bodyTypes?: readonly string[];
  /**
   * Receives the body as a stream, in place of a JSON body. The document shows the first of the media types in
   * `receives`, with its example.
   */
  receive?: Receive;
  receives?: { types: readonly [string, ...string[]]; example: string };
  /** Largest body in bytes when it differs from the setting. */
  bodyMaxBytes?: number;
  /**
   * Query arguments that the route knows; others are refused with 400. With `openQuery`, field names are arguments too.
   */
  query?: Record<string, QueryArgument>;
  /** True for reads in the query language, whose arguments may be any field of the resource. */
  openQuery?: boolean;
  /** Request headers that this route reads; for documentation. */
  headers?: Record<string, QueryArgument>;
  /** Headers of answers by status, in addition to those of every answer; for documentation. */
  answerHeaders?: Record<number, readonly string[]>;
  /** Error statuses beyond those that follow from the rest of this object; for documentation. */
  errors?: readonly number[];
  /** Since when clients should use something else, and when the route is removed (docs/design/http.md). */
  deprecated?: Deprecation;
  /** True when the route may write in a sandbox that is being emptied; others are answered with 503 there. */
  worksInClosed?: boolean;
  /** Milliseconds within which the route answers, when that may be longer than {@link timeouts} allows; say why. */
  answerMaxMs?: number;
  /** Media type of the answer when it is not JSON, or several with commas. Such a route does not check `Accept`. */
  produces?: string;
  /** The schema of the body for each status; null for no body. */
  responses: Record<number, TSchema | null>;
  /** How it honours the header Idempotency-Key, which may depend on the request. Every POST must have it. */
  key?: KeyUse | ((request: Pick<Request, 'params' | 'query'>) => KeyUse);
  handle(request: Request): Promise<Answer>;
}

/** The days, YYYY-MM-DD in UTC, since which a route is deprecated and from which on it will be gone. */
export interface Deprecation {
  since: string;
  sunset: string;
  /** The path that replaces it, below `/api/v1`, or what clients should do. */
  instead: string;
}

/** Returns the route. It exists so that the compiler checks a route where it is declared. */
export function defineRoute(route: Route): Route {
  return route;
}

/** The prefix of every route that does not name its own (SPEC "Versioning"). */
export const apiPrefix = '/api/v1';

/** Returns the full paths of a route, the documented one first. */
export function routePaths({ path, aliases = [], prefixes = [apiPrefix] }: RoutePaths): string[] {
  return [path, ...aliases].flatMap((each) => prefixes.map((prefix) => `${prefix}${each}`));
}

type RoutePaths = Pick<Route, 'path' | 'aliases' | 'prefixes'>;

/** Tells whether a route has a body, of JSON or received as a stream. */
export function hasBody({ body, receive }: Pick<Route, 'body' | 'receive'>): boolean {
  return body !== undefined || receive !== undefined;
}

/** Tells whether a repeated request with an Idempotency-Key gets the first answer. */
export function honoursKey({ key }: Pick<Route, 'key'>): boolean {
  return key !== undefined && key !== 'changesNothing' && key !== 'refused';
}

/** Returns the names of the query arguments of a route that are lists of words. */
export function listsOfWords({ query = {} }: Pick<Route, 'query'>): string[] {
  const isList = ({ type, anyOf = [] }: TSchema): boolean =>
    type === 'array' || (anyOf.length > 0 && anyOf.every(isList));
  return Object.keys(query).filter((name) => query[name] && !query[name].isJson && isList(query[name].schema));
}

/** Makes a 200 answer with a body. */
export function ok(body: unknown, headers?: Record<string, string>): Answer {
  return headers ? { status: 200, body, headers } : { status: 200, body };
}

/** Largest body, in bytes, of a route that needs no token. A request without a token must cost next to nothing. */
const openMaxBytes = 4096;

/** Largest body of a route in bytes. */
export function routeBodyMaxBytes({ permission, bodyMaxBytes }: Route, defaultMaxBytes: number): number {
  return permission === 'open' ? openMaxBytes : (bodyMaxBytes ?? defaultMaxBytes);
}
