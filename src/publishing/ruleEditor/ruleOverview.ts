import { type Static, Type } from '@sinclair/typebox';
import { ObjectId } from 'bson';
import type { Connection } from 'mongoose';
import { dayMs } from '#base/common/durations';
import { collectionOf } from '#base/db/collections';
import { isTooSlow } from '#base/db/transaction';
import { count, instant, integerMax, list, objectId, record } from '#base/schema/atoms';
import { phrasebookFor } from '#engine/rules/phrasebooks/phrasebookFor';
import { rulesMax } from '#engine/rules/read/orgRuleLimits';
import { readLanguage } from '#platform/http/languageArgument';
import { type Answer, ok, type Request } from '#platform/http/route';
import { deriveRuleId } from '#publishing/rulesets/publishRules';
import { ruleResource } from '#publishing/rulesets/ruleResource';
import { ruleSetInForce } from '#publishing/rulesets/ruleSetInForce';
import { accrualItemResource } from '#records/points/accrualItem';
import { programResource } from '#records/programs/program';

/** Days whose points the overview counts. */
const days = 7;

/** How long the store may count points, in milliseconds. Then the overview comes without them. */
const countMaxMs = 2000;

const listed = record({
  _id: objectId('Rule'),
  program: Type.String({ description: 'Code' }),
  key: Type.String({ description: 'Of a table: the key of its rule, without that of a row' }),
  name: Type.String(),
  status: Type.String(),
  priority: count(),
  file: Type.String({ description: 'Path from RULES_DIR' }),
  rows: Type.Optional(count({ description: 'Rows of its table, each of which is a rule in force' })),
  sentence: Type.String({ description: 'What it does; of a table, its first row' }),
  tests: count(),
  changedAt: Type.Optional(instant({ description: 'When a publication last changed it' })),
  points: Type.Optional(
    count({ description: 'Points awarded in the last 7 days; absent when counting takes too long' }),
  ),
});

/** The answer of `GET /rules/overview`. */
export const overviewAnswer = record({
  version: Type.Union([Type.Integer({ minimum: 1, maximum: integerMax }), Type.Null()]),
  needsApproval: Type.Boolean({ description: 'A second user approves what is published or scheduled' }),
  rules: list(listed, rulesMax),
});

type Listed = Static<typeof listed>;

/** `GET /rules/overview`: the rules in force in rule order, in words, with the points that each gave lately. */
export async function ruleOverview({ services, principal, query, now }: Request): Promise<Answer> {
  const phrasebook = phrasebookFor(readLanguage(query));
  const { db } = services;
  const { org } = principal;
  const [set, programs, stored, points] = await Promise.all([
    ruleSetInForce(db, org),
    collectionOf(db, programResource)
      .find({ org }, { projection: { code: 1, timezone: 1 } })
      .toArray(),
    collectionOf(db, ruleResource)
      .find({ org }, { projection: { changedAt: 1 } })
      .toArray(),
    pointsSince(db, org, new Date(now.getTime() - days * dayMs)),
  ]);
  const zones = new Map(programs.map(({ code, timezone }) => [code, timezone]));
  const changed = new Map(stored.map(({ _id, changedAt }) => [_id.toHexString(), changedAt]));
  const rows = (set?.drafts ?? []).map((rule): Listed => {
    const _id = deriveRuleId(org, rule);
    const id = _id.toHexString();
    const changedAt = changed.get(id);
    return {
      _id,
      program: rule.programCode,
      key: rule.row?.table ?? rule.key,
      name: rule.name,
      status: rule.status,
      priority: rule.priority,
      file: rule.file,
      tests: rule.tests?.length ?? 0,
      ...(rule.row ? { rows: 1 } : {}),
      sentence: phrasebook.rule(rule, zones.get(rule.programCode)),
      ...(changedAt ? { changedAt } : {}),
      ...(points ? { points: points.get(id) ?? 0 } : {}),
    };
  });
  return ok({
    version: set?.version ?? null,
    needsApproval: services.config.RULES_APPROVAL === 'on',
    rules: withTables(rows),
  });
}

/** One entry for all rows of a table, in place of its first row. */
function withTables(rules: readonly Listed[]): Listed[] {
  const found = new Map<string, Listed>();
  for (const rule of rules) {
    const id = `${rule.program} ${rule.key}`;
    const first = rule.rows === undefined ? undefined : found.get(id);
    found.set(id, first ? together(first, rule) : rule);
  }
  return [...found.values()];
}

function together(first: Listed, row: Listed): Listed {
  const changedAt = [first.changedAt, row.changedAt]
    .filter((each) => each !== undefined)
    .sort((a, b) => +a - +b)
    .at(-1);
  return {
    ...first,
    rows: (first.rows ?? 0) + 1,
    tests: first.tests + row.tests,
    ...(changedAt ? { changedAt } : {}),
    ...(first.points === undefined ? {} : { points: first.points + (row.points ?? 0) }),
  };
}

/** The points that each rule awarded since an instant, by its id; undefined when counting takes too long. */
async function pointsSince(db: Connection, org: ObjectId, since: Date): Promise<Map<string, number> | undefined> {
  try {
    const sums = await collectionOf(db, accrualItemResource)
      .aggregate<{ _id: ObjectId; points: number }>(
        [
          // Ids begin with the second of their creation, so only the items since then are read.
          { $match: { org, _id: { $gte: ObjectId.createFromTime(Math.floor(since.getTime() / 1000)) } } },
          { $match: { rule: { $exists: true } } },
          { $group: { _id: '$rule', points: { $sum: '$accruedPoints' } } },
        ],
        { maxTimeMS: countMaxMs },
      )
      .toArray();
    return new Map(sums.map(({ _id, points }) => [_id.toHexString(), points]));
  } catch (error) {
    if (isTooSlow(error)) return undefined;
    throw error;
  }
}
