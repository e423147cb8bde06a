import { Type } from '@sinclair/typebox';
import { count, instant, integerMax, list, objectId, oneOf, record, signed, text } from '#base/schema/atoms';
import { tierLevelRefShape } from '#records/members/memberTier';
import { postedKinds } from '#records/points/journalEntry';

const optional = Type.Optional;

const activity = objectId('ActivityHistory', { description: 'The activity, or the cancellation, that caused it' });
const rule = text(100, { description: 'Key of the rule' });
const version = Type.Integer({ minimum: 1, maximum: integerMax });

/** The fields of an activity that its events repeat. */
const posted = {
  activityType: text(100),
  date: instant({ description: 'Date of the activity' }),
  value: count(),
  externalTxnId: optional(text(255)),
};

/** The data of every event about points: journal entries that belong together, as one change. */
const points = record({
  purse: text(100, { description: 'Name of the purse' }),
  purseId: objectId('PursePolicy'),
  points: signed({ description: 'Change of the balance; the sum over all events is the balance' }),
  kind: oneOf(postedKinds, { description: 'Kind of the journal entries' }),
  seq: version,
  entries: Type.Integer({ minimum: 1, maximum: integerMax, description: 'Journal entries, up to `seq`' }),
  accrualItem: optional(objectId('AccrualItem', { description: 'Only when one is concerned' })),
  activity: optional(activity),
  rule: optional(rule),
  effectiveAt: optional(instant({ description: 'When it took effect, when that was before' })),
  balanceAfter: signed({ description: "The purse's balance" }),
  availAfter: signed({ description: "The purse's availBalance" }),
});

/** The data of each type of event: ids, names and numbers, but no personal data. */
export const eventData = {
  'activity.processed': record({
    activity: objectId('ActivityHistory'),
    ...posted,
    cancels: optional(objectId('ActivityHistory', { description: 'Of a Cancellation: the original' })),
    rules: list(rule, 1000, { description: 'Rules that fired' }),
  }),
  'activity.failed': record({
    activity: objectId(undefined, { description: 'Id of the activity, which may have no history' }),
    ...posted,
    errors: list(record({ code: Type.Integer(), rule: optional(rule) }), 20),
  }),
  'activity.cancelled': record({
    activity: objectId('ActivityHistory', { description: 'The original' }),
    cancellation: objectId('ActivityHistory'),
    isWhole: Type.Boolean({ description: 'false: a part was returned' }),
    value: count({ description: 'Value that was returned' }),
  }),
  'points.earned': points,
  'points.redeemed': points,
  'points.released': points,
  'points.expired': points,
  'points.reversed': points,
  'points.adjusted': points,
  'points.expiring': record({
    purse: points.properties.purse,
    purseId: points.properties.purseId,
    points: count({ description: 'Points that expire unless they are spent' }),
    expiresOn: instant(),
    daysBefore: count({ description: 'The horizon: EXPIRING_DAYS' }),
    items: version,
  }),
  'tier.changed': record({
    policy: text(100, { description: 'Name of the tier policy' }),
    policyId: objectId(),
    from: optional(tierLevelRefShape),
    to: optional(tierLevelRefShape),
    why: text(20, { description: 'As in the tier history' }),
    expiresOn: optional(instant()),
    activity: optional(activity),
  }),
  'reward.issued': record({
    issuedReward: objectId('IssuedReward'),
    code: text(100),
    reward: optional(objectId('Reward', { description: 'Absent of a choice' })),
    choice: optional(list(objectId('Reward'), 20)),
    validFrom: optional(instant()),
    validUntil: optional(instant()),
    activity: optional(activity),
  }),
  'reward.used': record({
    issuedReward: objectId('IssuedReward'),
    code: text(100),
    reward: optional(objectId('Reward')),
    activity,
  }),
  'referral.completed': record({ referrer: objectId('Member'), referred: objectId('Member'), activity }),
  'member.created': record({
    status: text(20),
    enrolledAt: instant(),
    referredBy: optional(objectId('Member')),
  }),
  'member.updated': record({ fields: list(text(50), 50, { description: 'Fields that changed' }), status: text(20) }),
  'member.merged': record({ merged: list(objectId('Member'), 20) }),
  'member.erased': record({ merged: list(objectId('Member'), 10_000, { description: 'Erased with it' }) }),
  'account.changed': record({
    account: objectId('Account'),
    change: oneOf(['created', 'updated', 'removed']),
    members: list(objectId('Member'), 1000),
  }),
  'ruleset.published': record({ version, rules: count(), rollbackOf: optional(version) }),
  'budget.low': record({
    rule,
    ruleId: objectId('Rule'),
    budget: count({ description: 'Points of the budget' }),
    used: count(),
    left: count(),
  }),
};
