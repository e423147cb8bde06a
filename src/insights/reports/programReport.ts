import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { zoneInStore } from '#base/calendar/timezones';
import { dayMs } from '#base/common/durations';
import { count, decimal, instant, integerMax, list, objectId, oneOf, record } from '#base/schema/atoms';
import { type PagesScope, readPages } from '#insights/forecasts/readPages';
import { activityHistoryResource } from '#records/activities/activityHistory';
import { readArchivedBefore } from '#records/archives/findArchived';
import { journalResource } from '#records/points/journal';
import type { JournalKind } from '#records/points/journalEntry';
import type { Program } from '#records/programs/program';
import type { PursePolicy } from '#records/programs/pursePolicy';

/** The lengths of the steps of a report. */
export const reportSteps = ['hour', 'day', 'week', 'month'] as const;

/** Most steps, rules and kinds of errors that a report has. */
export const reportLimits = { stepsMax: 1000, rulesMax: 20, errorsMax: 20 } as const;

/** The points of a journal kind, as a report counts them: always positive. */
const sums = {
  earned: count({ description: 'Awarded, also what is still in escrow' }),
  redeemed: count({ description: 'Burned, less what cancellations gave back' }),
  expired: count(),
  reversed: count({ description: 'Taken back by cancellations' }),
};

/** The answer of `GET /reports/program`. */
export const programReportShape = record({
  program: objectId('Program'),
  from: instant(),
  to: instant(),
  by: oneOf(reportSteps),
  timezone: Type.String({ description: 'The zone of the program, in which the steps begin' }),
  steps: list(
    record({
      at: instant({ description: 'When the step begins' }),
      activities: count(),
      failed: count({ description: 'Activities of these that were refused' }),
      value: decimal({ description: 'The sum of their values' }),
      ...sums,
    }),
    reportLimits.stepsMax,
    { description: 'Steps in which something was recorded, the first one first' },
  ),
  rules: list(record({ rule: objectId('Rule'), points: count(), awards: count() }), reportLimits.rulesMax, {
    description: 'The rules that awarded most points',
  }),
  archivedBefore: Type.Optional(
    instant({
      description:
        'The period begins before this moment: what was recorded before it may be in the archive, and then the steps are without it',
    }),
  ),
  errors: list(
    record({ code: Type.Integer(), count: Type.Integer({ minimum: 1, maximum: integerMax }) }),
    reportLimits.errorsMax,
    { description: 'The codes for which most activities were refused' },
  ),
});

export type ProgramReport = Static<typeof programReportShape>;

/** What a report is about. */
export interface ReportScope extends PagesScope {
  program: Program;
  policies: readonly PursePolicy[];
  from: Date;
  to: Date;
  by: (typeof reportSteps)[number];
}

type Step = ProgramReport['steps'][number];

/** How many milliseconds before a period ids are read, because the clocks of processes may differ. */
const marginMs = dayMs;

/** The latest second that an id can begin with. */
const secondMax = 0xff_ff_ff_ff;

/** An id that is lower than those of all records that are made after an instant; undefined before ids have a time. */
export function idBefore(date: Date): ObjectId | undefined {
  const second = Math.min(Math.floor((date.getTime() - marginMs) / 1000), secondMax);
  return second > 0 ? ObjectId.createFromTime(second) : undefined;
}

/**
 * What was recorded in a program in a period, in steps. A record counts when it was made, whatever the date of its activity.
 * @throws ServiceError 1310 when there are too many records to read in time
 */
export async function readProgramReport(db: Connection, scope: ReportScope): Promise<ProgramReport> {
  const { program, from, to, by } = scope;
  const [ofJournal, ofHistories] = await Promise.all([
    readPages<JournalPage>(db, journalResource.path, scope, journalStages(scope)),
    readPages<HistoryPage>(db, activityHistoryResource.path, scope, historyStages(scope)),
  ]);
  const archivedBefore = await readArchivedBefore(db, scope.org);
  return {
    program: program._id,
    from,
    to,
    ...(archivedBefore && archivedBefore > from ? { archivedBefore } : {}),
    by,
    timezone: program.timezone,
    steps: mergeSteps(ofJournal, ofHistories),
    rules: sumRules(ofJournal),
    errors: sumErrors(ofHistories),
  };
}

interface JournalPage {
  byStep: { at: Date; kind: JournalKind; points: number }[];
  byRule: { rule: ObjectId; points: number; awards: number }[];
}

interface HistoryPage {
  byStep: { at: Date; activities: number; failed: number; value: number }[];
  byError: { code: number; count: number }[];
}

function journalStages(scope: ReportScope): Record<string, unknown>[] {
  const purses = scope.policies.map(({ _id }) => _id);
  return [
    { $match: { createdAt: { $gte: scope.from, $lt: scope.to }, purse: { $in: purses } } },
    {
      $facet: {
        byStep: [
          { $group: { _id: { at: stepExpression(scope), kind: '$kind' }, points: { $sum: '$points' } } },
          { $project: { _id: 0, at: '$_id.at', kind: '$_id.kind', points: 1 } },
        ],
        byRule: [
          { $match: { kind: 'accrue', rule: { $exists: true } } },
          { $group: { _id: '$rule', points: { $sum: '$points' }, awards: { $sum: 1 } } },
          { $project: { _id: 0, rule: '$_id', points: 1, awards: 1 } },
        ],
      },
    },
  ];
}

function historyStages(scope: ReportScope): Record<string, unknown>[] {
  const isFailed = { $cond: [{ $eq: ['$status', 'Error'] }, 1, 0] };
  const value = { $sum: { $ifNull: ['$value', 0] } };
  return [
    { $match: { createdAt: { $gte: scope.from, $lt: scope.to }, program: scope.program._id } },
    {
      $facet: {
        byStep: [
          { $group: { _id: stepExpression(scope), activities: { $sum: 1 }, failed: { $sum: isFailed }, value } },
          { $project: { _id: 0, at: '$_id', activities: 1, failed: 1, value: 1 } },
        ],
        byError: [
          { $match: { status: 'Error' } },
          { $unwind: '$result.errors' },
          { $group: { _id: '$result.errors.code', count: { $sum: 1 } } },
          { $project: { _id: 0, code: '$_id', count: 1 } },
        ],
      },
    },
  ];
}

function stepExpression({ by, program }: ReportScope): Record<string, unknown> {
  return { $dateTrunc: { date: '$createdAt', unit: by, timezone: zoneInStore(program.timezone) } };
}

/** The sum that entries of a kind change, and how; transfers and repayments move points that were counted already. */
const counted: Partial<Record<JournalKind, { sum: keyof typeof sums; sign: 1 | -1 }>> = {
  accrue: { sum: 'earned', sign: 1 },
  burn: { sum: 'redeemed', sign: -1 },
  restore: { sum: 'redeemed', sign: -1 },
  expire: { sum: 'expired', sign: -1 },
  reverse: { sum: 'reversed', sign: -1 },
};

function mergeSteps(ofJournal: readonly JournalPage[], ofHistories: readonly HistoryPage[]): Step[] {
  const steps = new Map<number, Step>();
  const stepAt = (at: Date): Step => {
    const none = { activities: 0, failed: 0, value: 0, earned: 0, redeemed: 0, expired: 0, reversed: 0 };
    const step = steps.get(at.getTime()) ?? { at, ...none };
    steps.set(at.getTime(), step);
    return step;
  };
  for (const { at, activities, failed, value } of ofHistories.flatMap(({ byStep }) => byStep)) {
    const step = stepAt(at);
    step.activities += activities;
    step.failed += failed;
    step.value = Number((step.value + value).toFixed(4));
  }
  for (const { at, kind, points } of ofJournal.flatMap(({ byStep }) => byStep)) {
    const how = counted[kind];
    if (how) stepAt(at)[how.sum] += how.sign * points;
  }
  const inOrder = [...steps.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
  // A step that gave back more than it took has nothing of that kind.
  return inOrder.map((step) => ({ ...step, redeemed: Math.max(0, step.redeemed), expired: Math.max(0, step.expired) }));
}

function sumRules(pages: readonly JournalPage[]): ProgramReport['rules'] {
  const rules = new Map<string, ProgramReport['rules'][number]>();
  for (const { rule, points, awards } of pages.flatMap(({ byRule }) => byRule)) {
    const known = rules.get(rule.toHexString()) ?? { rule, points: 0, awards: 0 };
    rules.set(rule.toHexString(), { rule, points: known.points + points, awards: known.awards + awards });
  }
  return [...rules.values()].sort((one, other) => other.points - one.points).slice(0, reportLimits.rulesMax);
}

function sumErrors(pages: readonly HistoryPage[]): ProgramReport['errors'] {
  const codes = new Map<number, number>();
  for (const { code, count } of pages.flatMap(({ byError }) => byError))
    codes.set(code, (codes.get(code) ?? 0) + count);
  const most = [...codes].map(([code, count]) => ({ code, count })).sort((one, other) => other.count - one.count);
  return most.slice(0, reportLimits.errorsMax);
}
