import { Type } from '@sinclair/typebox';
import {
  count,
  ext,
  freeFields,
  identifier,
  instant,
  list,
  objectId,
  oneOf,
  record,
  signed,
  text,
} from '#base/schema/atoms';
import { type DocOf, defineResource } from '#base/schema/resource';
import { runningTotalShape, runningTotalsMax } from '#records/aggregates/runningTotals';
import { turnoverShape, turnoversMax } from '#records/aggregates/turnover';
import { purseShape, shownPurseShape } from '#records/points/purse';
import { formerKeysMax, keyedFields, searchFilter } from './find/memberKeys';
import { ladderShape, tierShape } from './memberTier';
import { chosenLoyaltyIdPattern } from './placeholderLoyaltyId';

const lifetimeAggregate = record({
  _id: objectId(),
  metricName: text(150),
  metricAggValue: signed(),
  lastAggDate: instant(),
  expirationDate: Type.Optional(instant()),
});

/** Most referrals of a member. */
export const referralsMax = 1000;

/** Most static segments of a member. */
export const segmentsMax = 200;

/** Members: they earn and burn points. Purses and lifetime aggregates are embedded. */
export const memberResource = defineResource({
  name: 'Member',
  path: 'members',
  access: 'customer',
  tag: 'Members',
  permissions: { delete: 'member:erase' },
  fields: {
    program: objectId('Program'),
    loyaltyID: identifier(100, {
      description: 'Made by the service when none is sent',
      'x-document': { pattern: chosenLoyaltyIdPattern },
    }),
    loyaltyIDs: list(identifier(100), 200, { description: 'All ids that lead to this member; unique per org' }),
    status: oneOf(['Active', 'Inactive', 'Suspended', 'Merged', 'Erased'], { default: 'Active' }),
    type: oneOf(['Individual', 'Pooled'], { default: 'Individual' }),
    firstName: Type.Optional(text(200)),
    lastName: Type.Optional(text(200)),
    email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
    phone: Type.Optional(text(50)),
    birthDate: Type.Optional(Type.String({ format: 'date', maxLength: 10, description: 'YYYY-MM-DD', 'x-help': '' })),
    address: Type.Optional(freeFields()),
    locale: Type.Optional(text(35)),
    enrolledAt: instant({ description: 'Defaults to now' }),
    enrollChannel: Type.Optional(text(50)),
    referralCode: identifier(50, { description: 'Made by the service' }),
    referrals: list(
      record({ code: text(50), status: oneOf(['Pending', 'Completed']), referred: Type.Optional(objectId('Member')) }),
      referralsMax,
    ),
    referredBy: Type.Optional(objectId('Member')),
    familyHead: Type.Optional(
      objectId('Member', { description: 'The member of its family that takes the shares of its awards, by rules' }),
    ),
    segments: list(objectId('Segment'), segmentsMax, { default: [] }),
    /** When the member joined its segments; a membership from before this was recorded has none. */
    segmentDates: Type.Optional(list(record({ segment: objectId(), since: instant() }), segmentsMax)),
    purses: list(purseShape, 50),
    tiers: list(tierShape, 50),
    aggregates: list(lifetimeAggregate, 500, { description: 'Lifetime aggregates' }),
    mergeIds: list(objectId('Member'), 1000),
    mergedInto: Type.Optional(objectId('Member')),
    version: count({ description: 'Changes with every write; the ETag' }),
    /** The number of journal entries written so far; the `seq` of the next entry is one more. */
    seq: count(),
    /** How the member reached its tiers. */
    ladders: Type.Optional(list(ladderShape, 50)),
    /** Running totals of the present periods; the tier policies use them. */
    keptSums: Type.Optional(list(runningTotalShape, runningTotalsMax)),
    turnovers: Type.Optional(list(turnoverShape, turnoversMax)),
    /** The earliest date at which a release, an expiry or a check of a tier is due; absent when nothing is due. */
    nextDue: Type.Optional(instant()),
    /** When the first of the member's lifetime aggregates ends; absent when none has an end. */
    aggregatesEndAt: Type.Optional(instant()),
    /** The number of Processed Accruals that were not cancelled. */
    processedAccruals: count(),
    /** The keys by which it is found: those of its ids, e-mail, phone and names, and {@link formerKeys}. */
    searchKeys: list(Type.String({ maxLength: 300 }), 700),
    /** The keys of e-mails and phone numbers of members that were merged into it, without its own. */
    formerKeys: Type.Optional(list(Type.String({ maxLength: 300 }), formerKeysMax)),
    ext: ext(),
  },
  readOnly: [
    'loyaltyIDs',
    'referralCode',
    'referrals',
    'purses',
    'tiers',
    'aggregates',
    'mergeIds',
    'mergedInto',
    'version',
  ],
  made: ['loyaltyID', 'enrolledAt'],
  fixed: ['program', 'loyaltyID'],
  completed: { purses: list(shownPurseShape, 50) },
  hidden: [
    'segmentDates',
    'seq',
    'ladders',
    'keptSums',
    'turnovers',
    'nextDue',
    'aggregatesEndAt',
    'processedAccruals',
    'searchKeys',
    'formerKeys',
  ],
  keyed: keyedFields,
  search: {
    description:
      'Finds members as people type it: an id, a loyalty id, an e-mail, a phone number in any writing, or words that ' +
      'each begin a word of the name, in any order and case. With `*` after at least three characters: also loyalty ' +
      'ids, e-mails and phone numbers that begin so',
    filterOf: searchFilter,
  },
  // No index has a field that every activity changes: see decision 22.
  indexes: [
    { keys: { org: 1, loyaltyIDs: 1 }, unique: true },
    { keys: { org: 1, loyaltyID: 1 } },
    { keys: { org: 1, referralCode: 1 }, unique: true },
    // The index has the id, so that members with a key are found in the default order of lists.
    { keys: { org: 1, searchKeys: 1, _id: 1 } },
    { keys: { org: 1, segments: 1 } },
    { keys: { org: 1, familyHead: 1 }, where: { familyHead: { $exists: true } } },
    { keys: { org: 1, referredBy: 1 }, where: { referredBy: { $exists: true } } },
    { keys: { org: 1, nextDue: 1 }, where: { nextDue: { $exists: true } } },
    { keys: { org: 1, aggregatesEndAt: 1 }, where: { aggregatesEndAt: { $exists: true } } },
  ],
});

export type Member = DocOf<typeof memberResource>;
