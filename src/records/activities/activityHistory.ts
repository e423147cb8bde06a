import { type Static, Type } from '@sinclair/typebox';
import {
  anyValue,
  count,
  decimal,
  freeObject,
  instant,
  list,
  objectId,
  oneOf,
  record,
  signed,
  text,
} from '#base/schema/atoms';
import { messageFields } from '#base/schema/messageShape';
import { type DocOf, defineResource } from '#base/schema/resource';
import { createCountAll } from '#records/aggregates/countAll';
import { lineItemFields, postedFields } from './activity';
import { occasionShape } from './occasion';
import { shownHistory } from './shownHistory';
import { activityStatuses } from './shownResult';

/** The shape of an error found while processing; some carry more than these fields. */
export const processingError = record(
  { code: Type.Integer(), message: Type.String(), ...messageFields, status: Type.Integer() },
  { additionalProperties: true },
);

/** An error found while processing. It is in `result.errors`, and the HTTP status is 200 (docs/design/errors.md). */
export type ProcessingError = Static<typeof processingError>;

/** The result of an activity as it is stored (SPEC "Result object"). */
export const resultShape = record({
  log: list(freeObject(), 10_000),
  errors: list(processingError, 1000),
  data: freeObject(),
});

const issued = Type.Optional(objectId(undefined, { description: 'The issued reward whose cost this is part of' }));

/** The award to which an effect belongs: the rule and the position of its action (see `Effect`), or of its coupon. */
const ofAward = { rule: Type.Optional(objectId()), n: Type.Optional(count()) };

/** The limit that used a counter. It is stored for limits whose uses could otherwise not be given back exactly. */
const ofLimit = {
  rule: Type.Optional(objectId()),
  /** Position in the rule's limits. */
  limit: Type.Optional(count()),
  /** Positions of the line items, when the limit counts by line items. */
  lines: Type.Optional(list(count(), 1000)),
  /** When the use counts; only for a limit by a window. */
  at: Type.Optional(decimal()),
};

/** What an activity changed, and how much of each change was returned since; a cancel reads this. */
const effectsShape = record({
  accrued: list(
    record({
      lot: objectId(),
      member: objectId(),
      purse: objectId(),
      points: count(),
      /** The part of `points` that cancellations have reversed so far. */
      returned: count(),
      /** The part of `returned` that was burned before, so that the claw-back of the policy applied to it. */
      charged: count(),
      /** True when the points came from another purse by a transfer. */
      moved: Type.Optional(Type.Boolean()),
      /** True when the points are the share that the head of the member's family gets of an award. */
      pooled: Type.Optional(Type.Boolean()),
      ...ofAward,
    }),
    1000,
  ),
  burned: list(
    record({
      lot: objectId(),
      member: objectId(),
      purse: objectId(),
      points: count(),
      restored: count(),
      issued,
      /** The lot that a transfer made of the points in another purse. */
      movedTo: Type.Optional(objectId()),
      ...ofAward,
    }),
    100_000,
  ),
  debts: list(
    record({ member: objectId(), purse: objectId(), points: count(), restored: count(), issued, ...ofAward }),
    1000,
  ),
  metrics: list(
    // A change counts on the day of the history's date, for its member unless `member` names another.
    record({
      metric: text(150),
      value: decimal(),
      returned: Type.Optional(decimal()),
      /** The end of the lifetime aggregate to which the value was added. */
      expirationDate: Type.Optional(instant()),
      member: Type.Optional(objectId()),
      issued,
    }),
    1000,
  ),
  counters: list(
    record({
      id: objectId(),
      what: oneOf(['points', 'times', 'amount']),
      amount: decimal(),
      returned: decimal(),
      ...ofLimit,
      /** The issued reward to which this use belongs. The use is returned only if the reward can be withdrawn. */
      issued: Type.Optional(objectId()),
    }),
    10_000,
  ),
  /** The inactivity date that the activity alone gives each purse (docs/design/points.md). */
  inactiveOn: Type.Optional(list(record({ purse: objectId(), date: instant() }), 50)),
  /** Rewards that the activity issued, and issued rewards whose codes it used. */
  rewards: Type.Optional(list(record({ id: objectId(), did: oneOf(['issued', 'used']) }), 1000)),
  /** Money paid for rewards in addition to points, in minor units. */
  payments: Type.Optional(list(record({ reward: objectId(), money: count(), returned: count(), issued }), 1000)),
  referrals: Type.Optional(list(record({ referrer: objectId(), referred: objectId() }), 1000)),
});

export type StoredEffects = Static<typeof effectsShape>;

/** The effects of an activity that did nothing. */
export const noEffects: StoredEffects = { accrued: [], burned: [], debts: [], metrics: [], counters: [] };

/**
 * Activity histories: every processed activity, whether or not rules fired (SPEC "Activity history").
 * Written by the pipeline only.
 */
export const activityHistoryResource = defineResource({
  name: 'ActivityHistory',
  path: 'activityhistories',
  access: 'ledger',
  tag: 'Activities',
  fields: {
    ...postedFields,
    date: instant(),
    value: count(),
    memberID: objectId('Member', { description: 'The member processed' }),
    program: objectId('Program'),
    lineItems: list(
      record({
        ...lineItemFields,
        product: Type.Optional(freeObject()),
        coupon: Type.Optional(freeObject()),
        returnedQuantity: Type.Optional(
          count({ description: 'How much of it was returned by cancellations that name it or return everything' }),
        ),
        returnedValue: Type.Optional(
          signed({ description: 'How much of its amount was returned, with its share of a returned value' }),
        ),
      }),
      1000,
    ),
    status: oneOf(activityStatuses),
    result: resultShape,
    ruleMatch: list(freeObject(), 10_000),
    ruleSet: Type.Optional(count({ description: 'Version of the rule set that evaluated it' })),
    currentRule: Type.Optional(freeObject({ description: 'The rule that fired last' })),
    location: Type.Optional(anyValue()),
    partner: Type.Optional(anyValue()),
    coupon: Type.Optional(anyValue()),
    bestOffers: Type.Optional(anyValue()),
    oplogTS: count({ description: 'When it was committed, in milliseconds' }),
    /** The account that the member was in; only when a rule has a limit per account. */
    account: Type.Optional(objectId('Account')),
    /** The fact snapshot: facts that rules read and that are not elsewhere in the history. Explanations need them. */
    factsRead: Type.Optional(list(freeObject(), 200)),
    occasion: Type.Optional(occasionShape),
    returnedValue: Type.Optional(count({ description: 'Value returned by cancellations so far' })),
    /** The part of `returnedValue` from cancellations that named no line items. */
    returnedByValue: Type.Optional(count()),
    /** How many cancellations returned a part. By it a cancellation notices that another one ran at the same time. */
    returns: Type.Optional(count()),
    effects: Type.Optional(effectsShape),
    /** Only of a cancellation of a part: what it gave back of each use of a limit or budget. Simulations need it. */
    usesGivenBack: Type.Optional(
      list(record({ id: objectId(), rule: Type.Optional(objectId()), amount: decimal() }), 10_000),
    ),
    /**
     * Only of a cancellation: what its own rules counted. It is apart from `effects`, because no cancellation returns it;
     * only `reconcile` reads it.
     */
    ruleCounts: Type.Optional(
      record({ metrics: effectsShape.properties.metrics, counters: effectsShape.properties.counters }),
    ),
  },
  completed: shownHistory,
  hidden: ['account', 'effects', 'returnedByValue', 'returns', 'factsRead', 'usesGivenBack', 'ruleCounts'],
  countAll: createCountAll('activityhistories'),
  indexes: [
    { keys: { org: 1, memberID: 1, date: -1 } },
    // The activities of others that changed a metric of a member, such as by a referral; windows of hours read them.
    { keys: { org: 1, 'effects.metrics.member': 1, date: -1 }, where: { 'effects.metrics.member': { $exists: true } } },
    // The order in which simulations read past activities.
    { keys: { org: 1, oplogTS: 1, _id: 1 } },
    { keys: { org: 1, externalTxnId: 1 }, where: { externalTxnId: { $exists: true } } },
    { keys: { org: 1, originalTxnId: 1 }, where: { originalTxnId: { $exists: true } } },
  ],
});

export type ActivityHistory = DocOf<typeof activityHistoryResource>;
