import { Type } from '@sinclair/typebox';
import {
  anyValue,
  count,
  freeObject,
  instant,
  integerMax,
  list,
  named,
  objectId,
  oneOf,
  record,
} from '#base/schema/atoms';
import { messageFields, messageShape } from '#base/schema/messageShape';
import { tierShape } from '#records/members/memberTier';
import { shownPurseShape } from '#records/points/purse';

/** The status of an activity, as histories and `result.data` have it. */
export const activityStatuses = ['Processed', 'Error', 'Cancelled'] as const;

const fieldError = record({ message: Type.String(), ...messageFields, kind: Type.String(), path: Type.String() });

/** An error found while processing, as shown. Some have further fields. */
export const shownError = named(
  'ProcessingError',
  record(
    {
      code: Type.Integer({ description: 'Application error code' }),
      message: Type.String(),
      ...messageFields,
      status: Type.Integer({ description: 'The HTTP status that belongs to the code; the answer itself has 200' }),
      rule: Type.Optional(Type.String({ description: 'Key of the rule that refused or failed' })),
      errors: Type.Optional(Type.Array(fieldError)),
    },
    { additionalProperties: true },
  ),
);

const logEntry = named(
  'LogEntry',
  record({
    action: Type.String({ description: 'An action of a rule, or what the service did itself, such as returnAward' }),
    rule: Type.Optional(objectId('Rule')),
    results: Type.Optional(
      anyValue({
        anyOf: [shownPurseShape, freeObject(), Type.String()],
        description: 'Of an action that changes points: the purse. Of the action log: its message. Else an object',
      }),
    ),
    time: instant(),
    type: Type.String({ description: 'Type of the activity' }),
  }),
);

const validity = { validFrom: Type.Optional(instant()), validUntil: Type.Optional(instant()) };

/** What was paid for a reward, when a part of it was money. */
export const paidShape = record(
  { points: count(), money: count({ description: 'In minor units; the service does not take it' }) },
  { description: 'Only when a part of the cost was paid in money' },
);

const issuedReward = record({
  reward: Type.String({ description: 'Code' }),
  code: Type.String(),
  name: Type.String(),
  ...validity,
  paid: Type.Optional(paidShape),
});

const issuedChoice = record({
  code: Type.String(),
  rewards: Type.Array(Type.String(), { description: 'Codes' }),
  default: Type.Optional(Type.String({ description: 'Code' })),
  validUntil: validity.validUntil,
});

const data = named(
  'ActivityData',
  record(
    {
      activityId: anyValue({ type: ['string', 'null'], description: 'null when nothing was stored' }),
      status: oneOf([...activityStatuses, 'Queued']),
      issuedRewards: Type.Optional(Type.Array(issuedReward, { description: 'With the codes that the member may use' })),
      issuedChoices: Type.Optional(
        Type.Array(issuedChoice, { description: 'Of the rewards of each, the member may take one' }),
      ),
    },
    { additionalProperties: true, description: 'With the fields that rules set' },
  ),
);

/** The outcome of an activity as shown (SPEC "Result object"). */
export const shownResult = named(
  'ActivityResult',
  record({ log: Type.Array(logEntry), errors: Type.Array(shownError), data }),
);

/** The outcome of an activity in the sections that the argument `filter` selects. */
export const filteredResult = named('FilteredResult', Type.Partial(shownResult));

/** The outcome of a cancellation: its log is an object (SPEC endpoint 7). */
export const cancelResult = named(
  'CancelResult',
  record({
    log: Type.Optional(record({ entries: Type.Array(logEntry) })),
    errors: Type.Optional(Type.Array(shownError)),
    data: Type.Optional(data),
  }),
);

/** The member in the answer of an activity. */
export const activityMember = named(
  'ActivityMember',
  record({
    _id: objectId('Member'),
    loyaltyID: Type.String(),
    program: objectId('Program'),
    purses: list(shownPurseShape, integerMax),
    tiers: list(tierShape, integerMax),
  }),
);

const failedCondition = named(
  'FailedCondition',
  record(
    {
      fact: Type.String(),
      path: Type.Optional(Type.String()),
      operator: Type.String(),
      expected: Type.Optional(anyValue({ description: 'The value that the rule compares with' })),
      actual: Type.Optional(anyValue({ description: 'The value that the fact had' })),
    },
    { description: 'The first comparison that was false' },
  ),
);

const matchedRule = {
  rule: objectId('Rule'),
  key: Type.String(),
  name: Type.String(),
};

const matchFields = {
  ...matchedRule,
  version: count({ description: 'Version of the rule set' }),
  fired: Type.Boolean(),
  reason: Type.Optional(
    oneOf(['notEffective', 'conditionFailed', 'limitReached', 'budgetEmpty', 'stopped', 'groupLost', 'error'], {
      description: 'Why it did not fire; of a rule that fired: why it gave less than it wanted',
    }),
  ),
  failedCondition: Type.Optional(failedCondition),
  desired: Type.Optional(count({ description: 'Points before limits and budget' })),
  granted: Type.Optional(count({ description: 'Points after limits and budget' })),
};

/** What a rule did for an activity, as histories show it. */
export const ruleMatch = named('RuleMatch', record(matchFields));

/** The same, with the reason in a sentence. */
export const explainedMatch = named(
  'ExplainedMatch',
  record({
    ...matchFields,
    sentence: Type.String({ description: 'Why it fired or not' }),
    failure: Type.Optional(messageShape),
    notKept: Type.Optional(
      Type.Array(Type.String(), { description: 'Conditions that cannot be judged, as their values were not stored' }),
    ),
  }),
);

/** The rule that was nearest to firing. */
export const nearestMiss = named(
  'NearestMiss',
  record({
    ...matchedRule,
    lacking: count({ description: 'How many conditions would have to change for it to fire' }),
    failedConditions: Type.Array(failedCondition),
    sentence: Type.String(),
  }),
);

/** The rule that fired last. */
export const firedRule = record({ ...matchedRule, version: count({ description: 'Version of the rule set' }) });
