import assert from 'node:assert';
import { Router } from '@koa/router';
import type { Authenticate } from '../auth/authenticate';
import { requirePermission } from '../auth/principal';
import { malformed, ServiceError } from '../errors';
import { singleArguments } from '../query/singleArguments';
import { compileParse } from '../schema/parse';
import type { Services } from '../services';
import { limitRate } from './limitRate';
import { createReadBody } from './readBody';
import { type Answer, apiPrefix, pathsOf, type Request, type Route } from './route';
import type { Context, RequestState } from './state';

/** What routes are mounted on. */
export interface MountOptions {
  services: Services;
  authenticate: Authenticate;
}

/** Makes the router of these routes. Of routes that match the same path, the one with the fewest parameters answers. */
export function mount(routes: readonly Route[], options: MountOptions): Router<RequestState> {
  const router = new Router<RequestState>({ exclusive: 'specificity', sensitive: true });
  for (const route of routes) {
    const answer = createAnswer(route, options);
    for (const path of pathsOf(route)) router.register(path, [route.method], (ctx: Context) => answer(ctx));
  }
  return router;
}

/** Names the argument by which a body is evaluated before use (SPEC "Pre-processing of request bodies"). */
const preprocessArgument = 'preprocess';

function createAnswer(route: Route, { services, authenticate }: MountOptions): (ctx: Context) => Promise<void> {
  const readBody = createReadBody(route, services.config.bodyMaxBytes);
  const parse = route.body && !route.parsesBody ? compileParse(route.body) : undefined;
  return async (ctx) => {
    ctx.state.route = route;
    refuseUnacceptable(ctx, route);
    await admit(ctx, route, authenticate);
    if (ctx.state.principal) await limitRate(ctx, services, ctx.state.principal);
    const query = queryOf(ctx, route);
    const rawBody = route.body ? await readBody(ctx) : undefined;
    const body = parse ? parse(structuredClone(rawBody)) : rawBody;
    send(ctx, await route.handle(toRequest(ctx, services, { query, rawBody, body })));
  };
}

function refuseUnacceptable(ctx: Context, { produces, prefixes = [apiPrefix] }: Route): void {
  if (produces !== undefined || !prefixes.includes(apiPrefix) || ctx.accepts('json')) return;
  throw new ServiceError('notAcceptable', 'Answers are application/json only');
}

async function admit(ctx: Context, { permission }: Route, authenticate: Authenticate): Promise<void> {
  if (permission === 'open') return;
  const principal = await authenticate(ctx.get('Authorization'));
  ctx.state.principal = principal;
  if (permission !== 'any') requirePermission(principal, permission);
}

function queryOf(ctx: Context, { method, body, query = {}, openQuery }: Route): Record<string, string> {
  const sent = singleArguments(new URLSearchParams(ctx.querystring));
  const { [preprocessArgument]: preprocess, ...args } = sent;
  if (preprocess !== undefined && (method === 'GET' || method === 'DELETE' || !body))
    throw unknownArgument(preprocessArgument);
  for (const name of Object.keys(args)) {
    if (!openQuery && !Object.hasOwn(query, name)) throw unknownArgument(name);
  }
  for (const [name, { required }] of Object.entries(query)) {
    if (required && !Object.hasOwn(args, name)) throw malformed(`Argument ${name} is required`);
  }
  return args;
}

function unknownArgument(name: string): ServiceError {
  return malformed(`Argument ${JSON.stringify(name.slice(0, 100))} is not known here`);
}

function toRequest(ctx: Context, services: Services, parsed: Pick<Request, 'query' | 'rawBody' | 'body'>): Request {
  const { requestId, principal } = ctx.state;
  return {
    services,
    get principal() {
      assert(principal, 'an open route has no principal');
      return principal;
    },
    params: ctx.params,
    ...parsed,
    headers: singleHeaders(ctx),
    requestId,
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    now: services.clock.now(),
  };
}

function singleHeaders({ headers }: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function send(ctx: Context, { status, body, headers = {} }: Answer): void {
  ctx.status = status;
  if (body !== undefined) ctx.body = isJsonObject(body) || headers['Content-Type'] ? body : JSON.stringify(body);
  if (body !== undefined && !isJsonObject(body)) ctx.type = 'application/json';
  if (ctx.state.principal) ctx.set('Cache-Control', 'private, no-cache');
  ctx.set(headers);
  if (status === 200 && hasVersion(ctx)) ctx.status = 304;
}

/**
 * Tells whether the client has this version already (RFC 9110, If-None-Match). Unlike Koa's `fresh` it does not mind
 * `Cache-Control: no-cache`, which is meant for caches on the way and which `fetch` adds by itself.
 */
function hasVersion(ctx: Context): boolean {
  const tag = ctx.response.get('ETag');
  if (tag === '' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
  const known = ctx.get('If-None-Match').split(',');
  return known.some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag);
}

/** Koa itself writes objects as JSON, but strings as text and null as no content. */
function isJsonObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null;
}
