import { type TSchema, Type } from '@sinclair/typebox';
import { list, record } from '#base/schema/atoms';
import { lineItemFields, postedFields } from '#records/activities/activity';
import { occasionShape } from '#records/activities/occasion';
import type { FactDefinition } from '../format/factDefinition';
import { factDefinitions } from '../format/facts';
import { recordShapes } from '../format/recordFacts';
import type { NamedListReference, ProgramReferences, RuleReferences } from '../format/ruleReferences';
import type { NamedLookup } from '../format/tableFact';
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
  /** The words that activities may have, as far as they are known. */
  codes: RuleReferences['codes'];
}

/** Makes the scope of a program. `counted` are the metrics that its rules count with `addMetric`. */
export function programScope(
  program: ProgramReferences,
  definitions: RuleReferences,
  counted: readonly string[],
  lookupTables: readonly NamedLookup[],
): ProgramScope {
  const { activityTypes, segments, metrics, namedLists = [], querySegments = [], codes } = definitions;
  const { purses, tiers, offers, rewards } = program;
  const named = { segments, querySegments, metrics: [...metrics, ...counted], namedLists, lookupTables };
  const facts = factDefinitions({ purses, tiers, ...named, ...(codes && { codes }) });
  return {
    program,
    facts,
    purses,
    offers,
    rewards,
    activityTypes,
    segments,
    metrics,
    namedLists,
    querySegments,
    levels: [...new Set(tiers.flatMap(({ levels }) => levels.map(({ name }) => name)))],
    checkActivity: checkTestActivity,
    checkRecords: checkTestRecords,
    codes,
  };
}

/** The shape of an activity in a rule test. */
export const testActivityShape = record({
  ...postedFields,
  lineItems: Type.Optional(list(record(lineItemFields), 1000)),
  occasion: Type.Optional(occasionShape),
});

const checkTestActivity = makeShapeCheck(testActivityShape);

const { location, partner, product } = recordShapes;

/** The records in a rule test. They have the fields of the facts, all optional. */
export const testRecordShapes = {
  location: partial(location),
  partner: partial(partner),
  products: list(partial(product), 1000),
};

const checkTestRecords = {
  location: makeShapeCheck(testRecordShapes.location),
  partner: makeShapeCheck(testRecordShapes.partner),
  products: makeShapeCheck(testRecordShapes.products),
};

/** Makes the fields of an object optional, one level deep. A date is any short string: a birth date is a day. */
export function partial(field: TSchema): TSchema {
  if (field['x-date']) return Type.String({ maxLength: 40 });
  if (field.type !== 'object' || !field.properties) return field;
  const parts: Record<string, TSchema> = field.properties;
  return record(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, Type.Optional(part)])));
}
