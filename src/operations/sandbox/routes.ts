import { type Static, Type } from '@sinclair/typebox';
import { DateTime } from 'luxon';
import type { Pipeline } from '#activities/pipeline/pipeline';
import { invalidField, ServiceError } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import type { Queues } from '#base/queues/queues';
import { count, instant, oneOf, record } from '#base/schema/atoms';
import { requestAuditor } from '#platform/audit/auditor';
import { type Answer, defineRoute, ok, type Request, type RequestWith, type Route } from '#platform/http/route';
import { orgTime } from '#platform/orgs/orgClock';
import { orgCode } from '#records/users/org';
import { continueMove, type MoveTarget, requestMove } from './moveClock';
import { requireSandbox, type SandboxOrg } from './requireSandbox';
import { wipeSandbox } from './wipeSandbox';

type SandboxServices = { queues: Queues; pipeline: Pipeline };

const shown = record({
  code: orgCode,
  now: instant({ description: "The time of the sandbox's own clock" }),
  machineNow: instant({ description: 'The time of the machine' }),
  movingTo: Type.Optional(instant({ description: 'Where the clock is on its way to; absent: it has arrived' })),
  work: Type.Optional(oneOf(['clone', 'wipe', 'remove'], { description: 'What is being done to all of it' })),
});

const clockBody = record({
  now: Type.Optional(instant({ description: 'The moment to move the clock to' })),
  advance: Type.Optional(
    record(
      {
        value: Type.Integer({ minimum: 1, maximum: 100_000 }),
        unit: oneOf(['minute', 'hour', 'day', 'week', 'month', 'year']),
      },
      { description: 'How far to move it' },
    ),
  ),
});

/** How long a request moves the clock before it answers 202 and leaves the rest to the timers. */
const moveForMs = 90_000;

const wiped = record({ deleted: Type.Record(Type.String(), count()) });

const clockRoute = defineRoute({
  method: 'PUT',
  path: '/sandbox/clock',
  permission: 'sandbox:write',
  tag: 'Operation',
  summary: 'Move the clock of the sandbox',
  description:
    'Moves the clock forward, a day at a time, and does everything that is due on the way. 200: it has arrived. 202: it ' +
    'is on its way; `GET /sandbox` says how far. Sent again, `now` moves nothing more, but `advance` moves the clock again.',
  body: clockBody,
  // All that is due on the days between is done before the answer.
  answerMaxMs: 120_000,
  errors: [404, 409],
  responses: { 200: shown, 202: shown },
  async handle(request: RequestWith<SandboxServices>) {
    const { principal, body, machineClock } = request;
    const services = { ...request.services, clock: machineClock };
    const { sandbox } = await requireSandbox(services.db, principal.org);
    const target = readMoveTarget(body as Static<typeof clockBody>, orgTime(machineClock.now(), sandbox));
    await requestMove(services, requestAuditor(request), target);
    const hasArrived = await continueMove(services, principal.org, moveForMs).catch(movedByAnother);
    const answer = await shownSandbox(request);
    return hasArrived ? answer : { ...answer, status: 202 };
  },
});

/** A timer was faster and moves the clock now. */
function movedByAnother(error: unknown): boolean {
  if (error instanceof ServiceError && error.reason === 'inFlight') return false;
  throw error;
}

function readMoveTarget({ now, advance }: Static<typeof clockBody>, from: Date): MoveTarget {
  if ((now === undefined) === (advance === undefined)) {
    throw invalidField('now', 'required', message('sandbox.clockOrAdvance'));
  }
  if (now) return { to: now, path: 'now' };
  const { value = 0, unit = 'day' } = advance ?? {};
  const to = DateTime.fromJSDate(from, { zone: 'utc' }).plus({ [unit]: value });
  return { to: to.toJSDate(), path: 'advance.value' };
}

async function shownSandbox({ services, principal, machineClock }: Request): Promise<Answer> {
  return ok(sandboxBody(await requireSandbox(services.db, principal.org), machineClock.now()));
}

function sandboxBody({ code, sandbox }: SandboxOrg, machineNow: Date) {
  const { aheadMs, aheadUntilMs, work } = sandbox;
  return {
    code,
    now: orgTime(machineNow, { aheadMs }),
    machineNow,
    ...(aheadUntilMs === undefined ? {} : { movingTo: orgTime(machineNow, { aheadMs: aheadUntilMs }) }),
    ...(work ? { work } : {}),
  };
}

/** Routes of a sandbox. In every other org they answer 404. */
export const sandboxRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/sandbox',
    permission: 'sandbox:read',
    tag: 'Operation',
    summary: 'Read the state of the sandbox',
    errors: [404],
    responses: { 200: shown },
    handle: shownSandbox,
  }),
  clockRoute,
  defineRoute({
    method: 'POST',
    path: '/sandbox/wipe',
    permission: 'sandbox:write',
    tag: 'Operation',
    summary: 'Wipe the sandbox',
    description:
      'Deletes its members and all that belongs to them. Definitions, rules and users stay. Meanwhile nobody writes in the sandbox: other writes answer 503.',
    body: record({
      resetClock: Type.Boolean({ default: false, description: "Whether the clock goes back to the machine's" }),
    }),
    // Everything is deleted when it answers.
    answerMaxMs: 120_000,
    worksInClosed: true,
    // It deletes what is stored of keys too.
    key: 'refused',
    errors: [404, 409],
    responses: { 200: wiped },
    async handle(request) {
      const { services, principal, body, machineClock } = request;
      const { resetClock } = body as { resetClock: boolean };
      const own = { ...services, clock: machineClock };
      const options = { by: requestAuditor(request), resetsClock: resetClock };
      return ok({ deleted: await wipeSandbox(own, principal.org, options) });
    },
  }),
];
