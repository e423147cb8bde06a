import assert from 'node:assert';
import type { TSchema } from '@sinclair/typebox';
import accepts from 'accepts';
import { type FieldError, malformed, ServiceError, validationError } from '#base/common/errors';
import { mapInTurns } from '#base/common/turns';
import { timeouts } from '#base/db/timeouts';
import { createSlots } from '#base/limits/slots';
import { copyJson } from '#base/schema/copyJson';
import { compileWithoutNulls } from '#base/schema/nulls';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import { isUnfitText } from '#base/schema/textFaults';
import { type Authenticate, requirePermission } from '#platform/auth/authenticate';
import type { Principal } from '#platform/auth/principal';
import type { Backing } from '#platform/infrastructure/backing';
import { closedSandbox } from '#platform/orgs/closedSandbox';
import { atOrgTime } from '#platform/orgs/orgClock';
import { createReadBody, type SentBody } from './body/readBody';
import { unlessBrokenOff } from './brokenOff';
import { createAnswerOnce } from './keys/answerOnce';
import { createReadArguments } from './readArguments';
import { receiveBody } from './receiving';
import { createLimitRate, startTimeLimit } from './requestLimits';
import { apiPrefix, bodyMaxBytesOf, type Deprecation, pathsOf, type Request, type Route } from './route';
import { createRouters, type Routers } from './routers';
import { discardAnswer, sendAnswer } from './sendAnswer';
import type { Context, Next } from './state';

/** What {@link mount} needs besides the routes. */
export interface MountOptions {
  services: Backing;
  authenticate: Authenticate;
  /** Replaces lookup and autoIncrement in `body`, in place. Lookups may add at most `foundMaxBytes` bytes. */
  evaluateBody(body: unknown, request: Request, foundMaxBytes: number): Promise<unknown>;
}

/** Mounts these routes. When several match the same path, the one with the fewest parameters answers. */
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

interface AnswerOptions extends MountOptions {
  limitRate: ReturnType<typeof createLimitRate>;
}

function createAnswer(route: Route, options: AnswerOptions): (ctx: Context) => Promise<void> {
  const { services, authenticate, evaluateBody, limitRate } = options;
  const readBody = createReadBody(route, services.config.bodyMaxBytes);
  const maxBytes = bodyMaxBytesOf(route, services.config.bodyMaxBytes);
  const readArguments = createReadArguments(route);
  const { produces, prefixes = [apiPrefix], answerMaxMs = requestMs } = route;
  const isJson = produces === undefined && prefixes.includes(apiPrefix);
  const read = route.body && !route.parsesBody ? createRead(route.body) : undefined;
  const answerOnce = createAnswerOnce(route);
  return async (ctx) => {
    ctx.state.route = route;
    if (route.deprecated) tellDeprecation(ctx, route.deprecated);
    if (isJson && !acceptsJson(ctx.headers.accept)) throw unacceptable();
    const onLate = (err: unknown) => {
      const seen = { err, route: route.path, requestId: ctx.state.requestId };
      services.log.warn(seen, 'failed after it was answered with 503');
    };
    const limit = startTimeLimit(answerMaxMs, onLate);
    // A route with a longer limit has the usual limit here, so that its clients soon hear that the stores are away.
    const admission = answerMaxMs === requestMs ? limit : startTimeLimit(requestMs, onLate);
    await admission.keep(async () => {
      await admit(ctx, route, authenticate);
      if (ctx.state.principal) await limitRate(ctx, ctx.state.principal);
    });
    const { query, asksToPreprocess } = readArguments(ctx.querystring);
    refuseUnfitTexts(ctx, route);
    const asked = { query, rawBody: undefined, body: undefined, endsAt: limit.endsAt() };
    const received = route.receive && (await receiveBody(ctx, route.receive, toRequest(ctx, services, asked)));
    const sent = route.body ? await unlessBrokenOff(ctx.req, () => readBody(ctx)) : noBody;
    const endsAt = limit.endsAt();
    const answerBody = async () => {
      const rawBody = received ? received.fingerprint : await sent.parse();
      const request = toRequest(ctx, services, { query, rawBody, body: received?.body ?? rawBody, endsAt });
      return answerOnce(request, async () => {
        const isPreprocessed = asksToPreprocess && route.body !== undefined;
        if (isPreprocessed) request.body = await evaluateBody(await ownCopy(rawBody), request, maxBytes - sent.bytes);
        // Parsing fills in defaults in place, but the raw body must stay as it was sent.
        if (read) request.body = read.withoutNulls(isPreprocessed ? request.body : copyJson(rawBody));
        const parsed = read && parseOrFaults(() => read.parse(request.body));
        if (parsed && 'faults' in parsed) throw validationError([...parsed.faults, ...(await besides(route, request))]);
        if (parsed) request.body = parsed.value;
        return route.handle(request);
      });
    };
    try {
      const work = isLarge(sent) ? () => largeBodies.run(answerBody) : answerBody;
      await sendAnswer(ctx, await limit.keep(work, discardAnswer));
    } finally {
      await received?.release().catch(onLate);
    }
  };
}

/** Tells clients that a route will be gone, also when it answers an error (RFC 9745, RFC 8594). */
function tellDeprecation(ctx: Context, { since, sunset }: Deprecation): void {
  ctx.set('Deprecation', `@${Date.parse(since) / 1000}`);
  ctx.set('Sunset', new Date(sunset).toUTCString());
}

/** How a body is read: null means that a field was not sent; then the schema checks and converts it. */
function createRead(body: TSchema) {
  return { withoutNulls: compileWithoutNulls(body), parse: compileParse(body) };
}

const noBody: SentBody = { bytes: 0, parse: async () => undefined };

/**
 * A body of more bytes than this is processed alone, one such body at a time. Its parsed value takes many times its
 * memory, which the garbage collector has to free.
 */
const largeBytes = 2 ** 20;

const largeBodies = createSlots({
  ...{ atOnce: 1, waitingMax: 20, waitMaxMs: 3000 },
  busyMessage: 'Too many large bodies are worked on already; retry later',
});

function isLarge({ bytes }: SentBody): boolean {
  return bytes > largeBytes;
}

/** Copies a body. A list of bodies may be long, so it is copied in turns with other work. */
async function ownCopy(body: unknown): Promise<unknown> {
  return Array.isArray(body) ? mapInTurns(body, copyJson) : copyJson(body);
}

/**
 * Checks the texts of path parameters and headers. Parsing checks the texts of the body, and `singleArguments` has
 * checked those of the query arguments.
 */
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

/**
 * Tells whether a client takes JSON, by its header `Accept`. Without the header it takes everything. Parameters of a
 * media range, such as `charset`, do not matter: JSON has one encoding, and our answers have no profiles or versions.
 */
function acceptsJson(accept: string | undefined): boolean {
  const headers = { accept: accept?.replace(quoted, '').replace(parameters, '') };
  return accepts({ headers } as Parameters<typeof accepts>[0]).type('json') !== false;
}

/** A quoted value of a parameter. It may hold semicolons, commas and escaped quotes. */
const quoted = /"(?:[^"\\]|\\.)*"/g;

/**
 * Every parameter of a media range except the weight `q`. The library would take a range with parameters for another
 * type than JSON.
 */
const parameters = /;(?!\s*q=)[^;,]*/gi;

function unacceptable(): ServiceError {
  return new ServiceError('notAcceptable', 'Answers are application/json only');
}

async function admit(ctx: Context, route: Route, authenticate: Authenticate): Promise<void> {
  const { permission } = route;
  if (permission === 'open') return;
  const principal = await authenticate(ctx.get('Authorization'));
  ctx.state.principal = principal;
  if (permission !== 'any') requirePermission(principal, permission);
  if (principal.versions?.isClosed && route.method !== 'GET' && !route.worksInClosed) throw closedSandbox();
}

function toRequest(
  ctx: Context,
  services: Backing,
  parsed: Pick<Request, 'query' | 'rawBody' | 'body' | 'endsAt'>,
): Request {
  const { requestId, principal, span } = ctx.state;
  const own = principal?.versions ? atOrgTime(services, principal.versions) : services;
  const received = {
    services: own,
    params: ctx.params,
    headers: singleHeaders(ctx),
    requestId,
    traceparent: span?.isSampled ? span.traceparent : undefined,
    remoteAddress: ctx.req.socket.remoteAddress ?? '',
    now: own.clock.now(),
    machineClock: services.clock,
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
