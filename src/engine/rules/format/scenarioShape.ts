import { type Static, Type } from '@sinclair/typebox';
import { byName, freeObject, list, record, text } from '#base/schema/atoms';
import { nameMax } from '#base/schema/textFaults';
import { durationShape } from '#records/points/terms';

const optional = Type.Optional;

/** Maximum number of steps of a test, and of keys of rules in a list. */
const namesMax = 100;

const ruleKeys = (description: string) => optional(list(text(100), namesMax, { description }));

const expectFields = {
  points: optional(byName(Type.Integer(), nameMax, { description: 'Change of each named purse' })),
  fired: ruleKeys('Keys of rules; these take part in the test'),
  notFired: ruleKeys('Keys of rules; these take part as well'),
  data: optional(freeObject({ description: 'Fields of result.data that must be set so' })),
  error: optional(
    Type.Unsafe<number | string>({ type: ['integer', 'string'], description: 'Code or message of the error' }),
  ),
};

/** What a test, or an activity of it, expects. */
export const expectShape = record(expectFields, { minProperties: 1 });

/** What a step expects. Balances and levels are those after the step. */
const stepExpectShape = record(
  {
    ...expectFields,
    balance: optional(byName(Type.Integer(), nameMax, { description: 'Balance of each named purse after the step' })),
    available: optional(byName(Type.Integer(), nameMax, { description: 'Available balance after the step' })),
    levels: optional(
      byName(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 100 }), nameMax, {
        description: 'Level by tier policy after the step; null: none',
      }),
    ),
    returned: optional(
      byName(Type.Integer(), 100, { description: 'For a cancel: points of each named rule that it returns' }),
    ),
    offers: optional(
      byName(Type.Unsafe<number | null>({ type: ['integer', 'null'] }), nameMax, {
        description:
          'What each offer or reward that was applied gave, by code or name: minor units off, or points; null: it was not applied; {}: none was',
      }),
    ),
    rewards: optional(
      byName(Type.Integer(), nameMax, {
        description: 'How many of each reward were issued, by code or name; {}: none. A cancel that withdraws one: -1',
      }),
    ),
    money: optional(
      byName(Type.Integer(), nameMax, {
        description:
          'Minor units paid for each reward beside points (payPoints), by code or name; {}: none. What a cancel gives back is below 0',
      }),
    ),
    pool: optional(
      byName(Type.Integer(), nameMax, {
        description: 'Change, in each purse, of the share that the head of the family (familyHead) got; {}: none',
      }),
    ),
  },
  { minProperties: 1 },
);

/** What a cancel names: an earlier step, and the part to return. */
const cancelShape = record({
  step: Type.Integer({ minimum: 1, maximum: namesMax, description: 'Position of the step with the activity, from 1' }),
  lineItems: optional(
    list(
      record({
        _id: optional(text(100)),
        itemSKU: optional(text(100)),
        productId: optional(Type.String({ pattern: '^[0-9a-fA-F]{24}$' })),
        quantity: optional(Type.Integer({ minimum: 1 })),
      }),
      1000,
      { minItems: 1, description: 'The returned lines, as a cancel names them' },
    ),
  ),
  value: optional(Type.Integer({ minimum: 1, description: 'Value to return' })),
});

/** How long to wait: for a duration, or until an instant or a plain date. */
const waitShape = record({
  value: optional(durationShape.properties.value),
  unit: optional(durationShape.properties.unit),
  until: optional(text(40, { description: 'An instant, or a plain date: midnight in the time zone of the program' })),
});

/** A step of a test: an activity, a cancel or a wait, and what is expected of it. */
export const scenarioStepShape = record({
  activity: optional(
    freeObject({ description: 'The activity as posted', properties: { type: text(100) }, required: ['type'] }),
  ),
  cancel: optional(cancelShape),
  wait: optional(waitShape),
  expect: optional(stepExpectShape),
});

export type ScenarioStep = Static<typeof scenarioStepShape>;
export type StepExpected = Static<typeof stepExpectShape>;
