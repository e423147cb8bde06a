import { type TSchema, Type } from '@sinclair/typebox';
import { message } from '#base/common/messages/message';
import { byName, count, instant, list, record, signed, text } from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { nameMax } from '#base/schema/textFaults';
import { noNames } from '../format/factDefinition';
import { factDefinitions } from '../format/facts';
import { staticSegments } from '../format/timeFacts';
import { makeShapeCheck } from '../source/checkShape';
import { didYouMean } from '../source/nearest';
import type { JsonPath, RuleSource } from '../source/ruleSource';
import { checkNames } from './checkNames';
import { type ProgramScope, partial } from './programScope';

/** The fact `member` with every field optional. A purse is its balance, or an object with some of its fields. */
export function testMemberShape(shape: TSchema | undefined, purses: readonly string[]): TSchema {
  const fields: Record<string, TSchema> = shape?.properties ?? {};
  const parts = Object.entries(fields).map(([name, field]) => [name, Type.Optional(partial(field))] as const);
  return record({
    ...Object.fromEntries(parts),
    purse: Type.Optional(record(Object.fromEntries(purses.map((name) => [name, Type.Optional(testPurse)])))),
    lastVisit: Type.Optional(instant({ description: 'Date of its latest Accrual, for daysSince' })),
    processedAccruals: Type.Optional(signed({ minimum: 0, description: 'isFirstActivity holds at 0' })),
  });
}

const testPurse = Type.Unsafe<unknown>(
  ifThenElse(
    { type: 'object' },
    record(
      Object.fromEntries(
        ['balance', 'availBalance', 'overdraftLimit', 'escrowsIn', 'debt'].map((name) => [
          name,
          Type.Optional(signed()),
        ]),
      ),
    ),
    signed(),
  ),
);

/** A date is any short string. */
const date = Type.String({ maxLength: 40 });

/** The parts of the member by names that a program chooses. */
const byChosenName = {
  segmentSince: date,
  tierSince: date,
  tierUntil: date,
  tierMissing: count(),
  tier: text(100),
  tierNumber: count(),
  purse: testPurse,
};

/**
 * The shape of a test's member with any names. One serves all programs: a schema with the names of a program would have
 * to be compiled at each load, which takes seconds for thousands of segments, and ajv keeps every schema.
 */
const anyMember = record({
  ...testMemberShape(factDefinitions(noNames).member?.shape, []).properties,
  segments: Type.Optional(list(text(200), 200)),
  ...Object.fromEntries(
    Object.entries(byChosenName).map(([name, part]) => [name, Type.Optional(byName(part, nameMax))]),
  ),
});

const checkShape = makeShapeCheck(anyMember);

/** Checks the member of a test: its shape, and the names of purses, segments, tier policies and levels. */
export function checkTestMember(
  source: RuleSource,
  at: JsonPath,
  member: Readonly<Record<string, unknown>>,
  scope: ProgramScope,
): void {
  if (checkShape(source, at, member)) checkMemberNames(source, at, member, scope);
}

/** Checks the names of purses, segments, tier policies and levels in the member of a test. */
export function checkMemberNames(
  source: RuleSource,
  at: JsonPath,
  member: Readonly<Record<string, unknown>>,
  { program: { tiers }, purses, segments, querySegments }: ProgramScope,
): void {
  const namesOf = (part: string) => Object.keys(Object(member[part]));
  const own = Array.isArray(member.segments) ? member.segments.map(String) : [];
  // Without segments in the org, the fact `member` has any.
  if (segments.length > 0) checkNames(source, [...at, 'segments'], 'segment', own, segments);
  const dated = staticSegments({ segments, querySegments });
  checkNames(source, [...at, 'segmentSince'], 'segment without a query', namesOf('segmentSince'), dated, true);
  checkNames(source, [...at, 'purse'], 'purse', namesOf('purse'), purses, true);
  const policies = tiers.map(({ name }) => name);
  for (const part of ['tier', 'tierNumber', 'tierSince', 'tierUntil', 'tierMissing']) {
    checkNames(source, [...at, part], 'tier policy', namesOf(part), policies, true);
  }
  for (const { name, levels } of tiers) {
    const level: unknown = Object(member.tier)[name];
    const known = levels.map((each) => each.name);
    if (typeof level !== 'string' || known.length === 0 || known.includes(level)) continue;
    source.error([...at, 'tier', name], didYouMean(message('ruleTests.unknownTierLevel', { level }), level, known));
  }
}
