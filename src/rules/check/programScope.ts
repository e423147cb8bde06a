import { type TSchema, Type } from '@sinclair/typebox';
import { lineItemFields, postedFields } from '../../records/activities/activity';
import { list, record, signed } from '../../schema/atoms';
import { when } from '../../schema/when';
import { type FactDefinition, factsOf } from '../format/facts';
import { recordShapes } from '../format/recordFacts';
import type { NamedListReference, ProgramReferences, RuleReferences } from '../format/ruleReferences';
import { makeShapeCheck, type ShapeCheck } from '../source/checkShape';

/** Everything that rules of one program may refer to, and the checks of the records in their tests. */
export interface ProgramScope {
  program: ProgramReferences;
  facts: Record<string, FactDefinition>;
  purses: readonly string[];
  /** Codes of offers; `rewards` has the codes of rewards. */
  offers: readonly string[];
  rewards: readonly string[];
  activityTypes: readonly string[];
  segments: readonly string[];
  /** Names of the levels of all tier policies. */
  levels: readonly string[];
  metrics: readonly string[];
  namedLists: readonly NamedListReference[];
  /** The segments that select members by a query. No rule can add a member to them. */
  querySegments: readonly string[];
  checkActivity: ShapeCheck;
  checkRecords: Readonly<Record<'location' | 'partner' | 'products', ShapeCheck>>;
  checkMember: ShapeCheck;
}

/** Makes the scope of a program. `counted` are the metrics that its rules count with `addMetric`. */
export function programScope(
  program: ProgramReferences,
  definitions: RuleReferences,
  counted: readonly string[],
): ProgramScope {
  const { activityTypes, segments, metrics, namedLists = [], querySegments = [] } = definitions;
  const { purses, tiers, offers, rewards } = program;
  const facts = factsOf({ purses, tiers, segments, metrics: [...metrics, ...counted], namedLists });
  return {
    ...{ program, facts, purses, offers, rewards, activityTypes, segments, metrics, namedLists, querySegments },
    levels: [...new Set(tiers.flatMap(({ levels }) => levels.map(({ name }) => name)))],
    checkActivity: checkTestActivity,
    checkRecords: checkTestRecords,
    checkMember: makeShapeCheck(testMemberShape(facts.member?.shape, purses)),
  };
}

/** The shape of an activity in a rule test. */
export const testActivityShape = record({
  ...postedFields,
  lineItems: Type.Optional(list(record(lineItemFields), 1000)),
});

const checkTestActivity = makeShapeCheck(testActivityShape);

const { location, partner, product } = recordShapes;

/** Checks of the records in a rule test. They have the fields of the facts, all optional. */
const checkTestRecords = {
  location: makeShapeCheck(partial(location)),
  partner: makeShapeCheck(partial(partner)),
  products: makeShapeCheck(list(partial(product), 1000)),
};

/** The fact `member` with every field optional. A purse is its balance, or an object with some of its fields. */
function testMemberShape(shape: TSchema | undefined, purses: readonly string[]): TSchema {
  const fields: Record<string, TSchema> = shape?.properties ?? {};
  const parts = Object.entries(fields).map(([name, field]) => [name, Type.Optional(partial(field))] as const);
  return record({
    ...Object.fromEntries(parts),
    purse: Type.Optional(record(Object.fromEntries(purses.map((name) => [name, Type.Optional(testPurse)])))),
    processedAccruals: Type.Optional(signed({ minimum: 0, description: 'isFirstActivity holds at 0' })),
  });
}

const testPurse = Type.Unsafe<unknown>(
  when(
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

/** Makes the fields of an object optional, one level deep. A date is any short text: a birth date is a day. */
function partial(field: TSchema): TSchema {
  if (field['x-date']) return Type.String({ maxLength: 40 });
  if (field.type !== 'object' || !field.properties) return field;
  const parts: Record<string, TSchema> = field.properties;
  return record(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Type.Optional(part)])));
}
