import assert from 'node:assert';
import { type Authenticate, type Principal, requirePermission } from '../auth/authenticate';
import type { Backing } from '../backing/backing';
import { type FieldError, malformed, ServiceError, validationError } from '../common/errors';
import { mapInTurns } from '../common/turns';
import { timeouts } from '../db/timeouts';
import { createSlots } from '../limits/slots';
import { singleArguments } from '../query/singleArguments';
import { copyJson } from '../schema/copyJson';
import { compileParse, parseOrFaults } from '../schema/parse';
import { isUnfitText } from '../schema/textFaults';
import { createReadBody, type SentBody } from './readBody';
import { createLimitRate, startTimeLimit, unlessBrokenOff } from './requestLimits';
import { type Answer, apiPrefix, bodyMaxBytesOf, pathsOf, type Request, type Route } from './route';
import { createRouters, type Routers } from './routers';
import type { Context, Next } from './state';

/** What routes are mounted on. */
export interface MountOptions {
  services: Backing;
  authenticate: Authenticate;
  /** Replaces lookup and autoIncrement in a body of its own; what is found may take so many bytes. */
  evaluateBody(body: unknown, request: Request, foundMaxBytes: number): Promise<unknown>;
}

/** Mounts these routes. Of those that match the same path, the one with the fewest parameters answers. */
export function mount(routes: readonly Route[], options: MountOptions): Routers {
  const routers = createRouters();
  const limitRate = createLimitRate(options.services);
  const fixed = new Set(routes.flatMap(pathsOf).filter((path) => !path.includes(':')));
  for (const route of routes) {
    const answer = createAnswer(route, { ...options, limitRate });
    for (const path of pathsOf(route)) {
      // `PUT /users/count` is a wrong method on a known path, not a user whose id is malformed.
      const isTaken = (asked: string) => path.includes(':') && fixed.has(asked.replace(/\/$/, ''));
      const router = routers.to(path);
      router.register(path, [route.method], (ctx: Context, next: Next) => (isTaken(ctx.path) ? next() : answer(ctx)));
    }
  }
  return routers;
}

const { requestMs } = timeouts;

/** Names the argument by which a body is evaluated before use (SPEC "Pre-processing of request bodies"). */
const preprocessArgument = 'preprocess';

interface AnswerOptions extends MountOptions {
  limitRate: ReturnType<typeof createLimitRate>;
}

function createAnswer(route: Route, options: AnswerOptions): (ctx: Context) => Promise<void> {
  const { services, authenticate, evaluateBody, limitRate } = options;
  const readBody = createReadBody(route, services.config.bodyMaxBytes);
  const maxBytes = bodyMaxBytesOf(route, services.config.bodyMaxBytes);
  const required = requiredArguments(route);
  const { produces, prefixes = [apiPrefix], answerMaxMs = requestMs } = route;
  const isJson = produces === undefined && prefixes.includes(apiPrefix);
  const parse = route.body && !route.parsesBody ? compileParse(route.body) : undefined;
  return async (ctx) => {
    ctx.state.route = route;
    if (isJson && !ctx.accepts('json')) throw unacceptable();
    const onLate = (err: unknown) => {
      const seen = { err, route: route.path, requestId: ctx.state.requestId };
      services.log.warn(seen, 'failed after it was answered with 503');
    };
    const limit = startTimeLimit(answerMaxMs, onLate);
    // Also who may wait for long hears at once that the stores are away.
    const admission = answerMaxMs === requestMs ? limit : startTimeLimit(requestMs, onLate);
    await admission.keep(async () => {
      await admit(ctx, route, authenticate);
      if (ctx.state.principal) await limitRate(ctx, ctx.state.principal);
    });
    const { [preprocessArgument]: preprocessed, ...query } = queryOf(ctx, route, required);
    refuseUnfitTexts(ctx, route);
    const sent = route.body ? await unlessBrokenOff(ctx.req, () => readBody(ctx)) : noBody;
    const endsAt = limit.endsAt();
    const answerBody = async () => {
      const rawBody = await sent.parse();
      const request = toRequest(ctx, services, { query, rawBody, body: rawBody, endsAt });
      const isPreprocessed = preprocessed === 'true' && route.body !== undefined;
      if (isPreprocessed) request.body = await evaluateBody(await ownCopy(rawBody), request, maxBytes - sent.bytes);
      // Parsing fills defaults in place, and the raw body must stay as it was sent.
      const parsed = parse && parseOrFaults(() => parse(isPreprocessed ? request.body : copyJson(rawBody)));
      if (parsed && 'faults' in parsed) throw validationError([...parsed.faults, ...(await besides(route, request))]);
      if (parsed) request.body = parsed.value;
      return route.handle(request);
    };
    const answer = await limit.keep(() => (isLarge(sent) ? largeBodies.run(answerBody) : answerBody()));
    await send(ctx, answer);
  };
}

const noBody: SentBody = { bytes: 0, parse: async () => undefined };

/** Bodies beyond this are worked on few at a time: what they become takes many times their memory, which has to be collected. */
const largeBytes = 2 ** 20;

const largeBodies = createSlots({
  ...{ atOnce: 1, waitingMax: 20, waitMaxMs: 3000 },
  busyMessage: 'Too many large bodies are worked on already; retry later',
});

function isLarge({ bytes }: SentBody): boolean {
  return bytes > largeBytes;
}

/** Lists of bodies are long, so they are copied in turns. */
async function ownCopy(body: unknown): Promise<unknown> {
  return Array.isArray(body) ? mapInTurns(body, copyJson) : copyJson(body);
}

/** Texts beside the body, which is looked at as it is parsed; the arguments were looked at as they were taken apart. */
function refuseUnfitTexts(ctx: Context, { headers = {} }: Route): void {
  const params: Record<string, string> = ctx.params;
  for (const [name, value] of Object.entries(params)) {
    if (isUnfitText(value)) throw malformed(`${name} in the path holds control characters`);
  }
  for (const name of Object.keys(headers)) {
    if (isUnfitText(ctx.get(name))) throw malformed(`${name} holds control characters`);
  }
}

async function besides(route: Route, request: Request): Promise<FieldError[]> {
  return route.faultsBeside ? route.faultsBeside(request) : [];
}

function unacceptable(): ServiceError {
  return new ServiceError('notAcceptable', 'Answers are application/json only');
}

async function admit(ctx: Context, { permission }: Route, authenticate: Authenticate): Promise<void> {
  if (permission === 'open') return;
  const principal = await authenticate(ctx.get('Authorization'));
  ctx.state.principal = principal;
  if (permission !== 'any') requirePermission(principal, permission);
}

function requiredArguments({ query = {} }: Route): string[] {
  return Object.keys(query).filter((name) => query[name]?.required);
}

function queryOf(ctx: Context, route: Route, required: readonly string[]): Record<string, string> {
  const { query = {}, openQuery } = route;
  const args = ctx.querystring === '' ? {} : singleArguments(new URLSearchParams(ctx.querystring));
  for (const [name, value] of Object.entries(args)) {
    if (name === preprocessArgument) requirePreprocessable(route, value);
    else if (!openQuery && !Object.hasOwn(query, name)) throw unknownArgument(name);
  }
  for (const name of required) {
    if (!Object.hasOwn(args, name)) throw malformed(`Argument ${name} is required`);
  }
  return args;
}

/** Look-ups need somebody whose permissions bound them, so open routes have none; where no body is, it says nothing. */
function requirePreprocessable({ permission }: Route, value: string): void {
  if (permission === 'open') throw unknownArgument(preprocessArgument);
  if (value !== 'true' && value !== 'false') throw malformed(`Argument ${preprocessArgument} must be true or false`);
}

function unknownArgument(name: string): ServiceError {
  return malformed(`Argument ${JSON.stringify(name.slice(0, 100))} is not known here`);
}

function toRequest(
  ctx: Context,
  services: Backing,
  parsed: Pick<Request, 'query' | 'rawBody' | 'body' | 'endsAt'>,
): Request {
  const { requestId, principal } = ctx.state;
  const received = {
    services,
    params: ctx.params,
    headers: singleHeaders(ctx),
    requestId,
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    now: services.clock.now(),
    ...parsed,
  };
  return principal ? { principal, ...received } : withoutPrincipal(received);
}

function withoutPrincipal(received: Omit<Request, 'principal'>): Request {
  return {
    ...received,
    get principal(): Principal {
      throw new assert.AssertionError({ message: 'an open route has no principal' });
    },
  };
}

function singleHeaders({ headers }: Context): Record<string, string> {
  const single: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (typeof value === 'string') single[name] = value;
  }
  return single;
}

async function send(ctx: Context, { status, body, headers = {} }: Answer): Promise<void> {
  ctx.status = status;
  if (body !== undefined && headers['Content-Type']) ctx.body = body;
  else if (body !== undefined) {
    // Named before the body, for which Koa would guess a type otherwise.
    ctx.type = 'json';
    // Koa would write an object as JSON twice: once to know its length, once to send it.
    ctx.body = Array.isArray(body) ? await writeList(body) : JSON.stringify(body);
  }
  if (ctx.state.principal) ctx.set('Cache-Control', 'private, no-cache');
  ctx.set(headers);
  if (status === 200 && hasVersion(ctx)) ctx.status = 304;
}

/** Writes a list in turns with whatever else the process does: it may be a thousand records. */
async function writeList(list: readonly unknown[]): Promise<string> {
  return `[${(await mapInTurns(list, (each) => JSON.stringify(each))).join(',')}]`;
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
