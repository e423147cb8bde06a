import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { count, freeObject, instant, list, oneOf, record, text } from '#base/schema/atoms';
import { lineItemFields, postedFields } from '#records/activities/activity';
import { occasionShape } from '#records/activities/occasion';
import { countedMetrics } from '#records/aggregates/metricNames';
import { purseShape } from '#records/points/purse';
import { aggregateParams, crossedParams } from '../language/factParams';
import { type FactDefinition, type FactNames, noNames } from './factDefinition';
import { factsOfActivity } from './factsOfActivity';
import { eligibleParams } from './filterParams';
import { recordShapes } from './recordFacts';
import type { ProgramReferences } from './ruleReferences';
import { tableFact } from './tableFact';
import { staticSegments, timeFacts } from './timeFacts';

const optional = Type.Optional;

/** The catalogue of facts (docs/design/rules.md). Dates are instants. Ids are strings of 24 hexadecimal characters. */
export function factDefinitions(names: FactNames): Record<string, FactDefinition> {
  return {
    activity: { description: 'What was posted, defaults filled in', shape: activityShape(names.codes) },
    member: { description: 'The member, with what rules of higher priority changed', shape: memberShape(names) },
    program: { description: 'The program', shape: programShape },
    now: { description: 'When processing began', shape: instant() },
    ...timeFacts(names === noNames ? undefined : names),
    location: { description: 'Where it happened, when the location is known', shape: recordShapes.location },
    partner: {
      description: 'The partner that partnerCode names',
      shape: coded(recordShapes.partner, 'code', names.codes?.partners),
    },
    lineItem: { description: 'In a rule with perLine: one bought item', shape: lineItemShape },
    product: {
      description: 'In a rule with perLine: the product of the item, when it is known',
      shape: coded(coded(recordShapes.product, 'category', names.codes?.categories), 'sku', names.codes?.skus),
    },
    eligibleAmount: {
      description:
        'Sum of itemAmount over the line items whose product meets a filter, or over all; products with excludeFromEarning never count',
      shape: Type.Number(),
      params: eligibleParams(names.namedLists, names.codes),
    },
    eligibleQuantity: {
      description:
        'Sum of quantity over the line items whose product meets a filter, or over all; products with excludeFromEarning never count',
      shape: Type.Integer(),
      params: eligibleParams(names.namedLists, names.codes),
    },
    ...sumFacts(names === noNames ? undefined : names),
    table: tableFact(names.lookupTables),
    ...factsOfActivity(names.purses),
  };
}

const lineItemShape = record({ ...lineItemFields, product: optional(recordShapes.product) });

function activityShape(codes: FactNames['codes']): TSchema {
  const { srcChannelType, partnerCode } = postedFields;
  return record({
    ...postedFields,
    srcChannelType: worded(srcChannelType, codes?.channels),
    partnerCode: worded(partnerCode, codes?.partners),
    occasion: optional(occasionShape),
    lineItems: list(lineItemShape, 1000, { description: 'What was bought, each as the fact lineItem' }),
  });
}

/** The shape of a record with the words of one of its fields. */
function coded(shape: TSchema, field: string, words: readonly string[] | undefined): TSchema {
  const properties: TProperties = shape.properties;
  const code = properties[field];
  return code && words ? { ...shape, properties: { ...properties, [field]: worded(code, words) } } : shape;
}

/** The schema of a text that is always one of these words, when they are known. */
function worded(schema: TSchema, words: readonly string[] | undefined): TSchema {
  return words ? { ...schema, enum: [...words] } : schema;
}

const programShape = record({ _id: text(24), code: text(64), name: text(200), timezone: text(64) });

/** The fields of a member that rules may read, in addition to segments, tiers and purses. */
const profile = {
  _id: text(24),
  program: text(24),
  loyaltyID: text(100),
  loyaltyIDs: list(text(100), 1000, { description: 'All that lead to the member' }),
  status: oneOf(['Active', 'Inactive', 'Suspended']),
  type: oneOf(['Individual', 'Pooled']),
  firstName: optional(text(200)),
  lastName: optional(text(200)),
  email: optional(text(254)),
  phone: optional(text(50)),
  birthDate: optional(instant({ description: 'A day, YYYY-MM-DD', 'x-day': true })),
  address: optional(freeObject()),
  locale: optional(text(35)),
  enrolledAt: instant({ description: 'When the member joined' }),
  enrollChannel: optional(text(50)),
  referralCode: text(50, { description: 'Its own, for others to send' }),
  referredBy: optional(text(24, { description: 'Id of the member that referred it' })),
  familyHead: optional(text(24, { description: 'Id of the member that takes the shares of its awards' })),
  ext: optional(freeObject({ description: 'Extension fields' })),
} satisfies TProperties;

/** Names of the profile fields of the fact `member`. */
export const profileNames = Object.keys(profile) as readonly (keyof typeof profile)[];

function memberShape(names: FactNames): TSchema {
  const { purses, tiers, segments } = names;
  return record({
    ...profile,
    segments: list(segments.length === 0 ? text(100) : oneOf(segments), 200, { description: 'Names' }),
    segmentSince: byName(
      staticSegments(names).map((name) => [name, instant()]),
      'When the member joined the segment, by name; missing for a segment by query, and for one joined before this was recorded',
    ),
    bucket: Type.Integer({
      minimum: 0,
      maximum: 99,
      description: 'Always the same for a member, and even over all members; for experiments',
    }),
    tierSince: byName(
      tiers.map(({ name }) => [name, instant()]),
      'When the member reached its present level, by tier policy',
    ),
    tierUntil: byName(
      tiers.map(({ name }) => [name, instant()]),
      'When its present level ends or is checked again, by tier policy; missing for a level without end',
    ),
    tierMissing: byName(
      tiers.map(({ name }) => [name, count()]),
      'How much the challenge of its present level still needs, by tier policy; missing without a challenge',
    ),
    tier: byName(
      tiers.map(({ name, levels }) => [name, levelName(levels)]),
      'Name of the level, by tier policy',
    ),
    tierNumber: byName(
      tiers.map(({ name }) => [name, count()]),
      'Number of the level, by tier policy',
    ),
    purse: byName(
      purses.map((name) => [name, purseShape]),
      "Purses by name; others than words as $.purse['Bonus Points'], with a quote in a name doubled",
    ),
  });
}

function levelName(levels: FactNames['tiers'][number]['levels']): TSchema {
  return levels.length === 0 ? text(100) : oneOf(levels.map(({ name }) => name));
}

function byName(entries: [string, TSchema][], description: string): TSchema {
  return record(Object.fromEntries(entries), { description });
}

/** Facts that only rules with `perLine` have. */
export const lineFacts: ReadonlySet<string> = new Set(['lineItem', 'product']);

/** Names of all facts. */
export const factNames: readonly string[] = Object.keys(factDefinitions(noNames));

/** The facts that are sums of metrics. Without names, no metric or tier policy is checked. */
function sumFacts(names: (Pick<ProgramReferences, 'purses' | 'tiers'> & { metrics: readonly string[] }) | undefined) {
  const known = {
    metrics: names ? [...countedMetrics(names.purses), ...names.metrics] : [],
    tiers: names?.tiers.map(({ name }) => name),
  };
  return {
    aggregate: {
      description:
        "A metric of the member over the period that the activity's date lies in, with what the activity itself adds",
      shape: Type.Number(),
      params: aggregateParams(known),
    },
    crossed: {
      description:
        'How many multiples of `every`, or sums of `at`, the activity carries that aggregate over; one that it reaches exactly counts. 0 when none',
      shape: Type.Integer({ minimum: 0 }),
      params: crossedParams(known),
    },
  };
}
