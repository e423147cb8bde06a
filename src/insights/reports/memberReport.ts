import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { count, instant, list, objectId, record } from '#base/schema/atoms';
import { type PagesScope, readPages } from '#insights/forecasts/readPages';
import { memberResource } from '#records/members/member';

/** The answer of `GET /reports/members`. */
export const memberReportShape = record({
  program: objectId('Program'),
  at: instant(),
  members: count({ description: 'Members that are neither merged nor erased' }),
  statuses: list(record({ status: Type.String(), members: count() }), 20),
  levels: list(
    record({
      policyId: objectId('TierPolicy'),
      policy: Type.String(),
      level: Type.String(),
      number: count(),
      members: count(),
    }),
    1000,
    { description: 'How many members have each level; members without a level are in none' },
  ),
});

export type MemberReport = Static<typeof memberReportShape>;

interface Page {
  byStatus: { _id: string; members: number }[];
  byLevel: { _id: { policyId: ObjectId; policy: string; level: string; number: number }; members: number }[];
}

/** Statuses of members that have gone into another one or away. */
const gone = new Set(['Merged', 'Erased']);

/**
 * How many members a program has, by status and by level.
 * @throws ServiceError 1310 when there are too many members to read in time
 */
export async function readMemberReport(
  db: Connection,
  scope: PagesScope & { program: ObjectId; now: Date },
): Promise<MemberReport> {
  const { program, now } = scope;
  const level = {
    policyId: '$tiers.policyId',
    policy: '$tiers.name',
    level: '$tiers.level.name',
    number: '$tiers.level.number',
  };
  const pages = await readPages<Page>(db, memberResource.path, scope, [
    { $match: { program } },
    { $project: { status: 1, tiers: 1 } },
    {
      $facet: {
        byStatus: [{ $group: { _id: '$status', members: { $sum: 1 } } }],
        byLevel: [
          { $match: { status: { $nin: [...gone] } } },
          { $unwind: '$tiers' },
          { $group: { _id: level, members: { $sum: 1 } } },
        ],
      },
    },
  ]);
  const statuses = new Map<string, number>();
  for (const { _id, members } of pages.flatMap(({ byStatus }) => byStatus)) {
    statuses.set(_id, (statuses.get(_id) ?? 0) + members);
  }
  const living = [...statuses].filter(([status]) => !gone.has(status));
  return {
    program,
    at: now,
    members: living.reduce((sum, [, members]) => sum + members, 0),
    statuses: [...statuses].map(([status, members]) => ({ status, members })),
    levels: sumLevels(pages),
  };
}

function sumLevels(pages: readonly Page[]): MemberReport['levels'] {
  const levels = new Map<string, MemberReport['levels'][number]>();
  for (const { _id, members } of pages.flatMap(({ byLevel }) => byLevel)) {
    const key = `${_id.policyId.toHexString()} ${_id.number} ${_id.level}`;
    levels.set(key, { ..._id, members: members + (levels.get(key)?.members ?? 0) });
  }
  return [...levels.values()].sort((one, other) => one.policy.localeCompare(other.policy) || one.number - other.number);
}
