import { ObjectId } from 'bson';
import { hourMs } from '#base/common/durations';
import { malformed, notFound } from '#base/common/errors';
import { message } from '#base/common/messages/message';
import { collectionOf } from '#base/db/collections';
import { dateArgument } from '#base/query/dateArgument';
import { runHeavy } from '#base/query/read/heavyReads';
import { instant, objectId, oneOf } from '#base/schema/atoms';
import { defineRoute, ok, type RequestWith, type Route } from '#platform/http/route';
import type { ProgramCatalogs } from '#programs/programs/programCatalogs';
import type { Program } from '#records/programs/program';
import { orgResource } from '#records/users/org';
import { memberReportShape, readMemberReport } from './memberReport';
import { idBefore, programReportShape, readProgramReport, reportLimits, reportSteps } from './programReport';

type ReportRequest = RequestWith<{ programCatalogs: ProgramCatalogs }>;

/** The least length of a step in milliseconds: a day may have 23 hours, a month 28 days. */
const stepMs = { hour: hourMs, day: 23 * hourMs, week: 7 * 23 * hourMs, month: 28 * 23 * hourMs };

const programArgument = { description: 'The program', schema: objectId('Program'), required: true };

const programRoute = defineRoute({
  method: 'GET',
  path: '/reports/program',
  permission: 'forecasts:read',
  tag: 'Programs',
  summary: 'Report what was recorded in a program',
  description:
    'Activities, points earned, redeemed, expired and reversed in steps, the rules that awarded most, and why activities ' +
    'were refused. A record counts in the step in which it was made.',
  query: {
    program: programArgument,
    from: { description: 'The first moment', schema: instant(), required: true },
    to: { description: 'The first moment after; default: now', schema: instant() },
    by: { description: 'Length of a step; default: day', schema: oneOf(reportSteps) },
  },
  // It reads all records of the period.
  answerMaxMs: 120_000,
  responses: { 200: programReportShape },
  errors: [404, 429],
  handle: async (request: ReportRequest) => {
    const { services, principal, query, now, endsAt } = request;
    const period = parsePeriod(query, now);
    const { program, policies } = await requireProgram(request);
    const org = principal.org;
    // The ids of a sandbox begin with the machine's time, not with that of the sandbox.
    const isSandbox = (await collectionOf(services.db, orgResource).findOne({ _id: org }))?.sandbox !== undefined;
    const after = isSandbox ? undefined : idBefore(period.from);
    const scope = { org, endsAt, after, program, policies, ...period };
    return ok(await runHeavy(principal.userId.toHexString(), () => readProgramReport(services.db, scope)));
  },
});

const membersRoute = defineRoute({
  method: 'GET',
  path: '/reports/members',
  permission: 'forecasts:read',
  tag: 'Programs',
  summary: 'Count the members of a program by status and level',
  query: { program: programArgument },
  // It reads all members of the org.
  answerMaxMs: 120_000,
  responses: { 200: memberReportShape },
  errors: [404, 429],
  handle: async (request: ReportRequest) => {
    const { services, principal, now, endsAt } = request;
    const { program } = await requireProgram(request);
    const scope = { org: principal.org, endsAt, program: program._id, now };
    return ok(await runHeavy(principal.userId.toHexString(), () => readMemberReport(services.db, scope)));
  },
});

async function requireProgram({ services, principal, query }: ReportRequest) {
  const { program: id = '' } = query;
  if (!/^[0-9a-f]{24}$/i.test(id)) throw malformed(message('insights.programId'));
  const catalog = await services.programCatalogs.current(principal.org, principal.versions?.definitionsVersion);
  const program: Program | undefined = catalog.programOf(new ObjectId(id));
  if (!program) throw notFound('Program');
  return { program, policies: catalog.policiesOf(program._id) };
}

function parsePeriod({ from, to, by = 'day' }: Record<string, string | undefined>, now: Date) {
  const step = reportSteps.find((each) => each === by);
  if (!step) throw malformed(message('insights.stepValues', { steps: reportSteps.join(', ') }));
  const ends = to === undefined ? now : dateArgument('to', to);
  const period = { from: dateArgument('from', from ?? ''), to: ends, by: step };
  if (period.from >= period.to) throw malformed(message('insights.fromBeforeTo'));
  if ((period.to.getTime() - period.from.getTime()) / stepMs[step] > reportLimits.stepsMax - 2) {
    throw malformed(message('insights.tooManySteps', { max: reportLimits.stepsMax }));
  }
  return period;
}

/** Routes of reports: what was recorded in a program, and who its members are. */
export const reportRoutes: Route[] = [programRoute, membersRoute];
