import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { lineItemFields, postedFields } from '../../records/activities/activity';
import { purseShape } from '../../records/points/purse';
import { count, freeObject, instant, list, oneOf, record, text } from '../../schema/atoms';
import { aggregateParams, type FactParams } from '../language/factParams';
import { countedMetrics } from '../language/metricNames';
import { eligibleParams } from './filterParams';
import { recordShapes } from './recordFacts';
import type { NamedListReference, ProgramReferences } from './ruleReferences';

/** A fact: its description, and the shape that paths and operators are checked against. */
export interface FactDefinition {
  description: string;
  shape: TSchema;
  /** The params that it accepts. Absent: none. */
  params?: FactParams;
}

/** The names and levels that differ between programs. The schema for editors is made without them. */
export type FactNames = Pick<ProgramReferences, 'purses' | 'tiers'> & {
  segments: readonly string[];
  /** Metrics that rules of the program count. */
  metrics: readonly string[];
  namedLists: readonly NamedListReference[];
};

/** No names: for uses that are the same in every program. */
export const noNames: FactNames = { purses: [], tiers: [], segments: [], metrics: [], namedLists: [] };

const optional = Type.Optional;

/** The catalogue of facts (docs/design/rules.md). Dates are instants. Ids are texts of 24 hexadecimal characters. */
export function factsOf(names: FactNames): Record<string, FactDefinition> {
  return {
    activity: { description: 'What was posted, defaults filled in', shape: activityShape },
    member: { description: 'The member, with what rules of higher priority changed', shape: memberShape(names) },
    program: { description: 'The program', shape: programShape },
    now: { description: 'When processing began', shape: instant() },
    dayOfWeek: {
      description: "Day of the activity's date in the program's time zone, Sunday 0",
      shape: Type.Integer({ minimum: 0, maximum: 6 }),
    },
    hour: {
      description: "Hour of the activity's date in the program's time zone, 0 to 23",
      shape: Type.Integer({ minimum: 0, maximum: 23 }),
    },
    isBirthday: {
      description: "The activity's date is the member's birthday (29 February: 28 February in other years)",
      shape: Type.Boolean(),
    },
    isFirstActivity: { description: 'The member has no earlier Processed Accrual', shape: Type.Boolean() },
    location: { description: 'Where it happened, when the location is known', shape: recordShapes.location },
    partner: { description: 'The partner that partnerCode names', shape: recordShapes.partner },
    lineItem: { description: 'In a rule with perLine: one bought item', shape: lineItemShape },
    product: {
      description: 'In a rule with perLine: the product of the item, when it is known',
      shape: recordShapes.product,
    },
    eligibleAmount: {
      description:
        'Sum of itemAmount over the line items whose product meets a filter, or over all; products with excludeFromEarning never count',
      shape: Type.Number(),
      params: eligibleParams(names.namedLists),
    },
    eligibleQuantity: {
      description:
        'Sum of quantity over the line items whose product meets a filter, or over all; products with excludeFromEarning never count',
      shape: Type.Integer(),
      params: eligibleParams(names.namedLists),
    },
    aggregate: {
      description:
        "A metric of the member over the period that the activity's date lies in, with what the activity itself adds",
      shape: Type.Number(),
      params: aggregateParams(names === noNames ? [] : [...countedMetrics(names.purses), ...names.metrics]),
    },
  };
}

const lineItemShape = record({ ...lineItemFields, product: optional(recordShapes.product) });

const activityShape = record({
  ...postedFields,
  lineItems: list(lineItemShape, 1000, { description: 'What was bought, each as the fact lineItem' }),
});

const programShape = record({ _id: text(24), code: text(64), name: text(200), timezone: text(64) });

/** The fields of a member that rules may read, besides segments, tiers and purses. */
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
  birthDate: optional(instant({ description: 'A day, YYYY-MM-DD' })),
  address: optional(freeObject()),
  locale: optional(text(35)),
  enrolledAt: instant({ description: 'When the member joined' }),
  enrollChannel: optional(text(50)),
  referralCode: text(50, { description: 'Its own, for others to send' }),
  referredBy: optional(text(24, { description: 'Id of the member that referred it' })),
  ext: optional(freeObject({ description: 'Extension fields' })),
} satisfies TProperties;

/** Names of the profile fields of the fact `member`. */
export const profileNames = Object.keys(profile) as readonly (keyof typeof profile)[];

function memberShape({ purses, tiers, segments }: FactNames): TSchema {
  return record({
    ...profile,
    segments: list(segments.length === 0 ? text(100) : oneOf(segments), 200, { description: 'Names' }),
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
      "Purses by name; others than words as $.purse['Bonus Points']",
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
export const factNames: readonly string[] = Object.keys(factsOf(noNames));
