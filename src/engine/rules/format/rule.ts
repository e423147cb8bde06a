import { type Static, Type } from '@sinclair/typebox';
import type { ObjectId } from 'bson';
import { weekdays } from '#base/calendar/dueTimes';
import { type PeriodUnit, periodUnits } from '#base/calendar/periods';
import {
  byName,
  count,
  decimal,
  freeObject,
  instant,
  instantOrDay,
  list,
  oneOf,
  record,
  signed,
  text,
} from '#base/schema/atoms';
import { ifThenElse } from '#base/schema/ifThenElse';
import { dayPattern } from '#base/schema/instant';
import { nameMax } from '#base/schema/textFaults';
import { ruleActivityTypes } from '#records/activities/activity';
import { actionDefinitions, actionTypes, listMax, type RuleAction } from '../actions/list';
import { clockShape } from '../language/clock';
import type { Condition } from '../language/condition';
import { limitShape } from './limitShape';
import { expectShape, scenarioStepShape } from './scenarioShape';
import { scheduleShape } from './schedule';
import { type RowOrigin, tableShape } from './tableShape';

const optional = Type.Optional;

/** Days of the week as `hours.days` names them, Sunday first. */
export const dayNames = weekdays;

const clockTime = (pattern: string, description: string) => Type.String({ pattern, description });

/** An activity of a sequence as posted. Its field `expect` says what is expected of this activity alone. */
const stepShape = Type.Unsafe<Readonly<Record<string, unknown>> & { expect?: Static<typeof expectShape> }>(
  freeObject({ properties: { type: text(100), expect: expectShape }, required: ['type'] }),
);

const initialSum = () => optional(decimal());

/** What a test gives of one metric: sums of periods, and what it counted on single days. */
const initialSums = record({
  ...(Object.fromEntries(periodUnits.map((unit) => [unit, initialSum()])) as Record<
    PeriodUnit,
    ReturnType<typeof initialSum>
  >),
  days: optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: dayPattern },
      additionalProperties: signed(),
    }),
  ),
});

const testShape = record({
  name: text(200, { description: 'A sentence' }),
  activity: optional(
    freeObject({ description: 'The activity as posted', properties: { type: text(100) }, required: ['type'] }),
  ),
  activities: optional(
    list(stepShape, listMax, {
      minItems: 1,
      description: 'In place of activity: several, one after the other, each seeing what those before did',
    }),
  ),
  steps: optional(
    list(scenarioStepShape, listMax, {
      minItems: 1,
      description: 'In place of activity: a scenario of the member, with returns and time that passes',
    }),
  ),
  member: optional(freeObject({ description: 'The fact `member`; purse values may be plain balances' })),
  location: optional(freeObject({ description: 'The fact `location`' })),
  partner: optional(freeObject({ description: 'The fact `partner`' })),
  products: optional(
    list(freeObject({ properties: { sku: text(100) }, required: ['sku'] }), 1000, {
      description: 'Products that are known, found by their sku',
    }),
  ),
  namedLists: optional(
    byName(list(text(200), 1000), nameMax, {
      description: 'What named lists hold: ids, SKUs, location numbers, partner codes or loyalty ids',
    }),
  ),
  aggregates: optional(
    byName(initialSums, nameMax, {
      description:
        'Metrics of the member before the first activity, in the periods of its date: {"spend": {"month": 480}}; `days` gives what single days counted, for windows: {"spend": {"days": {"2026-09-30": 480}}}',
    }),
  ),
  asOf: optional(instant({ description: 'Sets now and the default date; else now is the date of each activity' })),
  expect: expectShape,
});

const actionShape = Type.Unsafe<RuleAction>({
  type: 'object',
  properties: { type: { type: 'string', enum: [...actionTypes] } },
  required: ['type'],
  allOf: actionTypes.map((type) =>
    ifThenElse(
      { type: 'object', properties: { type: { const: type } }, required: ['type'] },
      actionDefinitions[type].params,
    ),
  ),
});

/** The fields of a rule in a rule file. `checkConditions` checks the field `conditions`, with better messages. */
export const ruleShape = record({
  $schema: optional(Type.String({ maxLength: 500 })),
  key: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$',
    description: 'Short name, unique in the program and never changed: limits, budgets and past awards hang on it',
  }),
  name: text(200, { description: 'For people' }),
  description: optional(text(2000, { description: 'For people' })),
  status: oneOf(['draft', 'active', 'paused'], { default: 'active', description: 'Only active rules fire' }),
  activityTypes: list(text(100), 50, {
    minItems: 1,
    uniqueItems: true,
    description: `Types it looks at: ${ruleActivityTypes.join(', ')}, or an Enum of type ActivityType. Those from TierReached on are occasions, which the service posts itself`,
  }),
  schedule: optional(scheduleShape),
  effective: optional(
    record(
      {
        from: optional(instantOrDay({ description: 'First instant; a plain day (2026-10-01) from its beginning' })),
        to: optional(instantOrDay({ description: 'No longer at this one; a plain day (2026-12-31) until its end' })),
      },
      {
        minProperties: 1,
        description: "When it holds, by the activity's date; plain days are of the program's time zone",
      },
    ),
  ),
  hours: optional(
    record(
      {
        days: optional(list(oneOf(dayNames), 7, { minItems: 1, uniqueItems: true, description: 'Default: every day' })),
        from: optional(clockTime('^([01]\\d|2[0-3]):[0-5]\\d$', 'HH:mm, default 00:00')),
        to: optional(clockTime('^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', 'HH:mm, itself not included; default 24:00')),
        clock: clockShape,
      },
      {
        minProperties: 1,
        description: "In the program's time zone; past midnight (22:00 to 02:00) belongs to the day it began",
      },
    ),
  ),
  segments: optional(list(text(100), 100, { minItems: 1, description: 'The member is in any of them' })),
  tiers: optional(list(text(100), 100, { minItems: 1, description: 'The member has any of these levels' })),
  priority: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description:
      'Higher first; a rule sees what rules of higher priority did, not those of its own; equal: by file name, then place in the file',
  }),
  group: optional(text(100, { description: 'Rules of one group and priority compete; needs pick' })),
  pick: optional(
    oneOf(['all', 'first', 'highest', 'lowest'], {
      description:
        'Which of the group fire: all, the first, or the one with the most or fewest points over all purses; needs group, and for highest and lowest one priority',
    }),
  ),
  stop: optional(Type.Boolean({ description: 'When it fires, no rule after it does' })),
  perLine: optional(
    Type.Boolean({
      description:
        'Evaluated for each line item, with the facts lineItem and product; its actions happen for each that fits, and limits count each',
    }),
  ),
  conditions: Type.Unsafe<Condition>({
    type: 'object',
    default: { all: [] },
    description: 'When it fires; left out: always',
  }),
  actions: list(actionShape, listMax, { minItems: 1, description: 'What happens' }),
  onReturn: optional(
    oneOf(['reevaluate', 'proportional', 'keep'], {
      description:
        'What of its points goes back when a part of the activity is returned: reevaluate decides the activity again without what came back, proportional goes by the value, keep leaves them until all is returned. Default: reevaluate when the return names line items, else proportional',
    }),
  ),
  limits: optional(list(limitShape, listMax, { description: 'How much at most, see Limits and budget' })),
  budget: optional(
    record(
      { points: count({ minimum: 1, description: 'Points it may award over its whole life' }) },
      { description: 'A cancellation gives it back; completeReferral has none' },
    ),
  ),
  tests: optional(
    list(testShape, listMax, { description: 'Examples that must come out as written, or the file is refused' }),
  ),
  table: optional(tableShape),
});

/** One test of a rule: activities and their expected results. */
export type RuleTest = Static<typeof testShape>;

/** A rule as read from its file and checked: defaults filled in, named conditions expanded. */
export interface RuleDefinition extends Readonly<Omit<Static<typeof ruleShape>, '$schema' | 'table'>> {
  /** Path of the file as given to `readRules`, such as `demo/base-earn.json`. */
  readonly file: string;
  /** Position among the rules of the file, counted from 0. The rules of table rows count as well. */
  readonly position: number;
  readonly programId: ObjectId;
  readonly programCode: string;
  /** The row of a table that the rule was made from. */
  readonly row?: RowOrigin;
  /** The lookup tables that the rule reads: content hash by name. */
  readonly lookupTables?: Readonly<Record<string, string>>;
}

/** A rule of a published rule set. */
export interface Rule extends RuleDefinition {
  /** The same in every version of the rule set. */
  readonly _id: ObjectId;
  /** Version of the rule set. */
  readonly version: number;
}

/** The order of evaluation, the same on every machine: priority (highest first), then file name, then position. */
export function compareRules(a: RuleDefinition, b: RuleDefinition): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.position - b.position;
}

/** How a partial return treats the awards of a rule: as its `onReturn` says, else by whether it names line items. */
export function returnHandling(
  rule: Pick<RuleDefinition, 'onReturn'> | undefined,
  { namesLines }: { namesLines: boolean },
) {
  return rule?.onReturn ?? (namesLines ? 'reevaluate' : 'proportional');
}
