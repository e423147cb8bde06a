import { type FieldError, malformed, ServiceError, validationError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { mapYielding } from '#base/common/yielding';
import { timeouts } from '#base/db/timeouts';
import { copyJson } from '#base/schema/copyJson';
import { compileWithoutNulls } from '#base/schema/nulls';
import { compileParse, parseOrFaults } from '#base/schema/parse';
import { hasControlCharacters } from '#base/schema/textFaults';
import { type Authenticate, requirePermission } from '#platform/auth/authenticate';
import type { Infrastructure } from '#platform/infrastructure/infrastructure';
import { closedSandbox } from '#platform/orgs/closedSandbox';
import { acceptsJson } from './acceptsJson';
import { type ArrivedBody, awaitBody, runForBody } from './body/arrivedBody';
import { createReadBody } from './body/readBody';
import { createAnswerOnce } from './keys/answerOnce';
import { createReadArguments } from './readArguments';
import { createLimitRate, startTimeLimit, type TimeLimit } from './requestLimits';
import type { Context, Next } from './requestState';
import {
  type Answer,
  apiPrefix,
  type Deprecation,
  type Request,
  type Route,
  routeBodyMaxBytes,
  routePaths,
} from './route';
import { createRouters, type Routers } from './routers';
import { discardAnswer, sendAnswer } from './sendAnswer';
import { toRequest } from './toRequest';

/** What {@link mount} needs in addition to the routes. */
export interface MountOptions {
  services: Infrastructure;
  authenticate: Authenticate;
  /** Replaces lookup and autoIncrement in `body`, in place. Lookups may add at most `foundMaxBytes` bytes. */
  evaluateBody(body: unknown, request: Request, foundMaxBytes: number): Promise<unknown>;
}

/** Mounts these routes. When several match the same path, the one with the fewest parameters answers. */
export function mount(routes: readonly Route[], options: MountOptions): Routers {
  const routers = createRouters();
  const limitRate = createLimitRate(options.services);
  const fixed = new Set(routes.flatMap(routePaths).filter((path) => !path.includes(':')));
  for (const route of routes) {
    const answer = createAnswer(route, { ...options, limitRate });
    for (const path of routePaths(route)) {
      // `PUT /users/count` is a wrong method on a known path, not a user whose id is malformed.
      const isTaken = (requestPath: string) => path.includes(':') && fixed.has(requestPath.replace(/\/$/, ''));
      const router = routers.to(path);
      router.register(path, [route.method], (ctx: Context, next: Next) => (isTaken(ctx.path) ? next() : answer(ctx)));
    }
  }
  return routers;
}

const { requestMs } = timeouts;

/** A route, with everything for its requests that is made only once. */
interface Served extends MountOptions {
  route: Route;
  limitRate: ReturnType<typeof createLimitRate>;
  readBody: ReturnType<typeof createReadBody>;
  readArguments: ReturnType<typeof createReadArguments>;
  /**
   * How the body is read. `withoutNulls` treats null as a field that was not sent, then `parse` checks and converts the
   * body.
   */
  read: { withoutNulls(body: unknown): unknown; parse(body: unknown): unknown } | undefined;
  answerOnce: ReturnType<typeof createAnswerOnce>;
  bodyMaxBytes: number;
}

type AnswerOptions = MountOptions & Pick<Served, 'limitRate'>;

function createAnswer(route: Route, options: AnswerOptions): (ctx: Context) => Promise<void> {
  const { bodyMaxBytes } = options.services.config;
  const parsed = route.parsesBody ? undefined : route.body;
  const served: Served = {
    ...options,
    route,
    readBody: createReadBody(route, bodyMaxBytes),
    readArguments: createReadArguments(route),
    read: parsed && { withoutNulls: compileWithoutNulls(parsed), parse: compileParse(parsed) },
    answerOnce: createAnswerOnce(route),
    bodyMaxBytes: routeBodyMaxBytes(route, bodyMaxBytes),
  };
  return (ctx) => answer(served, ctx);
}

/** The steps of every request, in their order. A step that refuses the request throws a ServiceError. */
async function answer(served: Served, ctx: Context): Promise<void> {
  nameRoute(served, ctx);
  requireJsonAccepted(served, ctx);
  const time = startTime(served, ctx);
  await time.ofAdmission.run(async () => {
    await authenticateCaller(served, ctx);
    requirePermitted(served, ctx);
    requireOrgOpen(served, ctx);
    await countRequest(served, ctx);
  });
  const args = served.readArguments(ctx.querystring);
  refuseControlCharacters(served, ctx);
  const endsAt = time.ofAnswer.endsAt();
  const body = await awaitBody(served, ctx, { query: args.query, endsAt });
  const arrived = { ...args, body, endsAt };
  const work = async () => {
    try {
      return await runForBody(body, () => answerOnce(served, ctx, arrived));
    } finally {
      // Work that goes on after its time is over still needs the body, so the body is released only now.
      await body.release().catch(time.onLate);
    }
  };
  await sendAnswer(ctx, await time.ofAnswer.run(work, discardAnswer));
}

/** The steps of a request that has arrived. A repeated one with an Idempotency-Key gets the first answer. */
async function answerOnce(served: Served, ctx: Context, arrived: Arrived): Promise<Answer> {
  const { raw, forHandler } = await arrived.body.parse();
  const { query, endsAt } = arrived;
  const request = toRequest(ctx, served.services, { query, rawBody: raw, body: forHandler, endsAt });
  return served.answerOnce(request, async () => {
    await preprocess(served, request, arrived);
    await validate(served, request);
    return served.route.handle(request);
  });
}

function nameRoute({ route }: Served, ctx: Context): void {
  ctx.state.route = route;
  if (route.deprecated) tellDeprecation(ctx, route.deprecated);
}

function requireJsonAccepted({ route: { produces, prefixes = [apiPrefix] } }: Served, ctx: Context): void {
  const isJson = produces === undefined && prefixes.includes(apiPrefix);
  if (isJson && !acceptsJson(ctx.headers.accept)) throw jsonNotAccepted();
}

/** The time limits of a request, and the function that logs failures after the answer. */
interface Time {
  ofAnswer: TimeLimit;
  ofAdmission: TimeLimit;
  onLate(error: unknown): void;
}

function startTime({ services, route: { path, answerMaxMs = requestMs } }: Served, ctx: Context): Time {
  const onLate = (err: unknown) => {
    const fields = { err, route: path, requestId: ctx.state.requestId };
    services.log.warn(fields, 'failed after it was answered with 503');
  };
  const ofAnswer = startTimeLimit(answerMaxMs, onLate);
  // Admission has the usual limit on every route, so that clients of slow routes soon hear that a store is unavailable.
  const ofAdmission = answerMaxMs === requestMs ? ofAnswer : startTimeLimit(requestMs, onLate);
  return { ofAnswer, ofAdmission, onLate };
}

async function authenticateCaller({ route, authenticate }: Served, ctx: Context): Promise<void> {
  if (route.permission !== 'open') ctx.state.principal = await authenticate(ctx.get('Authorization'));
}

function requirePermitted({ route: { permission } }: Served, { state: { principal } }: Context): void {
  if (principal && permission !== 'any') requirePermission(principal, permission);
}

/** Refuses writes in a sandbox that is being emptied. */
function requireOrgOpen({ route: { method, worksInClosed } }: Served, { state: { principal } }: Context): void {
  if (principal?.versions?.isClosed && method !== 'GET' && !worksInClosed) throw closedSandbox();
}

async function countRequest({ limitRate }: Served, ctx: Context): Promise<void> {
  if (ctx.state.principal) await limitRate(ctx, ctx.state.principal);
}

interface Arrived {
  query: Request['query'];
  asksToPreprocess: boolean;
  body: ArrivedBody;
  endsAt: number;
}

/** Evaluates lookup and autoIncrement in the body, when the client asks for it. */
async function preprocess({ route, evaluateBody, bodyMaxBytes }: Served, request: Request, arrived: Arrived) {
  if (!arrived.asksToPreprocess || !route.body) return;
  const roomBytes = bodyMaxBytes - arrived.body.bytes;
  request.body = await evaluateBody(await ownCopy(request.rawBody), request, roomBytes);
}

/** Checks the body by the schema of the route, which also converts it and fills in defaults. */
async function validate({ route, read }: Served, request: Request): Promise<void> {
  if (!read) return;
  // Parsing fills in defaults in place, but the raw body must stay as it was sent.
  const own = request.body === request.rawBody ? copyJson(request.rawBody) : request.body;
  request.body = read.withoutNulls(own);
  const parsed = parseOrFaults(() => read.parse(request.body));
  if ('faults' in parsed) throw validationError([...parsed.faults, ...(await extraFaults(route, request))]);
  request.body = parsed.value;
}

/** Tells clients that a route will be removed, also in error answers (RFC 9745, RFC 8594). */
function tellDeprecation(ctx: Context, { since, sunset }: Deprecation): void {
  ctx.set('Deprecation', `@${Date.parse(since) / 1000}`);
  ctx.set('Sunset', new Date(sunset).toUTCString());
}

/** Copies a body. A list of bodies may be long, so it is copied in turns with other work. */
async function ownCopy(body: unknown): Promise<unknown> {
  return Array.isArray(body) ? mapYielding(body, copyJson) : copyJson(body);
}

/**
 * Checks the strings of path parameters and headers. Parsing checks the strings of the body, and `singleArguments` has
 * checked the query arguments.
 */
function refuseControlCharacters({ route: { headers = {} } }: Served, ctx: Context): void {
  const params: Record<string, string> = ctx.params;
  for (const [name, value] of Object.entries(params)) {
    if (hasControlCharacters(value)) throw malformed(message('http.pathControlCharacters', { name }));
  }
  for (const name of Object.keys(headers)) {
    if (hasControlCharacters(ctx.get(name))) throw malformed(message('http.controlCharacters', { name }));
  }
}

async function extraFaults(route: Route, request: Request): Promise<FieldError[]> {
  return route.extraFaults ? route.extraFaults(request) : [];
}

function jsonNotAccepted(): ServiceError {
  return new ServiceError('notAcceptable', message('http.jsonOnly'));
}
