import { type Static, Type } from '@sinclair/typebox';
import {
  count,
  decimal,
  ext,
  findableName,
  identifier,
  instant,
  list,
  named,
  objectId,
  readOnlyField,
  record,
  text,
  withValues,
} from '#base/schema/atoms';
import { type Occasion, occasionTypes } from './occasion';

/** The activity types that need no Enum (docs/design/activities.md). */
export const builtInActivityTypes = [
  'Accrual',
  'Redemption',
  'Adjustment',
  'Enrollment',
  'Referral',
  'Cancellation',
] as const;

/** The activity types that rules may name without an Enum. */
export const ruleActivityTypes = [...builtInActivityTypes, ...occasionTypes] as const;

export const builtInChannelTypes = ['POS', 'Web', 'Mobile', 'CallCenter', 'Partner'] as const;
export const builtInUnits = ['EA', 'KG', 'L', 'M'] as const;

const optional = Type.Optional;

/** One bought item (SPEC "Line item"), as posted. */
export const lineItemFields = {
  _id: optional(identifier(100)),
  lineNo: optional(decimal({ description: 'Its place in the order' })),
  itemSKU: optional(identifier(100, { description: 'The sku of a product' })),
  itemPrice: optional(count({ description: 'Price of a single item in minor units' })),
  quantity: optional(count()),
  itemAmount: optional(decimal({ description: 'Default itemPrice * quantity' })),
  itemUOM: optional(findableName(20, { description: 'EA, KG, L, M, or an Enum of type SalesUOM' })),
  type: optional(text(50)),
  couponCode: optional(identifier(100)),
  offerId: optional(objectId()),
  discountAmount: optional(decimal({ description: 'Given before it was posted' })),
  productId: optional(objectId()),
  ext: ext(),
};

/** One way of payment (SPEC "Tender item"). */
export const tenderItemShape = named(
  'TenderItem',
  record({
    _id: optional(text(100)),
    type: optional(text(50)),
    subType: optional(text(50)),
    value: optional(count()),
    itemNo: optional(text(255)),
    lineNo: optional(text(50)),
    ext: ext(),
  }),
);

/** The fields of an activity that a client may post, except line items (SPEC "Activity"). */
export const postedFields = {
  type: findableName(100, { description: 'What was done: Accrual, Redemption, ..., or an Enum of type ActivityType' }),
  date: optional(instant({ description: 'When it occurred; defaults to now' })),
  srcChannelType: optional(
    findableName(100, { description: 'POS, Web, Mobile, CallCenter, Partner, or an Enum of type ChannelType' }),
  ),
  srcChannelID: optional(identifier(100, { description: 'Number of the location' })),
  value: optional(count({ description: 'Default: the sum of itemPrice * quantity' })),
  currencyCode: optional(
    text(10, { 'x-currency': true, description: 'ISO 4217; that of the program, when the program has one' }),
  ),
  loyaltyID: optional(identifier(100, { description: 'An id that leads to the member' })),
  memberID: optional(objectId('Member')),
  originalMemberID: optional(objectId('Member', { description: 'Who began it, when memberID is a pooled member' })),
  referralCode: optional(identifier(100, { description: 'Code of the member that referred this one' })),
  referredMember: optional(Type.Boolean({ description: 'Posted for a referred member' })),
  tenderItems: optional(list(tenderItemShape, 100, { description: 'How it was paid' })),
  couponCode: optional(identifier(100, { deprecated: true })),
  chosenReward: optional(
    identifier(100, { description: 'Code of a reward; couponCode is the code of a choice with it' }),
  ),
  payPoints: optional(
    count({ description: 'Points to pay for the reward of couponCode; the rest of its cost is paid in money' }),
  ),
  partnerCode: optional(identifier(100, { description: 'Code of a partner' })),
  externalTxnId: optional(identifier(255)),
  originalTxnId: optional(objectId('ActivityHistory')),
  locationId: optional(objectId('Location')),
  program: optional(objectId('Program')),
  utcOffset: optional(Type.Integer({ minimum: -840, maximum: 840, description: 'Minutes from UTC' })),
  ext: ext(),
};

const computed = [
  '_id',
  'org',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'status',
  'result',
  'location',
  'partner',
  'coupon',
  'currentRule',
  'oplogTS',
  'bestOffers',
  'ruleMatch',
  'ruleSet',
  'returnedValue',
  'occasion',
] as const;

/** An example purchase for the documentation. */
export const exampleActivity = {
  type: 'Accrual',
  date: '2026-01-31T13:45:00.000Z',
  srcChannelType: 'POS',
  loyaltyID: 'L-1001',
  value: 120,
  lineItems: [{ lineNo: 1, itemSKU: 'TEA-1', itemPrice: 60, quantity: 2 }],
};

/** What a line item of a cancellation needs; `parseActivity` checks this. */
export const returnedLineRule = {
  anyOf: ['_id', 'itemSKU', 'productId'].map((name) => withValues([name], { quantity: { not: { const: 0 } } })),
};

/** An activity needs a member, a cancellation needs an original activity; `parseActivity` checks this. */
const requiredIds = {
  anyOf: [
    withValues(['memberID'], { type: { not: { const: 'Cancellation' } } }),
    withValues(['loyaltyID'], { type: { not: { const: 'Cancellation' } } }),
    withValues(['originalTxnId'], {
      type: { const: 'Cancellation' },
      lineItems: { minItems: 1, items: returnedLineRule },
    }),
  ],
};

/** A line item in a request body; the fields that the service computes are read-only. */
export const lineItemBody = {
  ...lineItemFields,
  ...Object.fromEntries(
    ['product', 'coupon', 'returnedQuantity', 'returnedValue'].map((name) => [name, readOnlyField()]),
  ),
};

/** The body of `POST /activity`. */
export const activityBody = record(
  {
    ...postedFields,
    lineItems: optional(list(record(lineItemBody), 1000)),
    ...Object.fromEntries(computed.map((name) => [name, readOnlyField()])),
  },
  { examples: [exampleActivity], 'x-document': requiredIds },
);

const acceptedShape = record({ ...postedFields, lineItems: optional(list(record(lineItemFields), 1000)) });

/** An activity as posted, parsed to Dates and ObjectIds. */
export type PostedActivity = Static<typeof acceptedShape>;

/** A line item with its defaults filled in. */
export type LineItem = NonNullable<PostedActivity['lineItems']>[number];

/**
 * An activity with every default filled in: what rules see and what the history stores. Only an activity that the
 * service posted to itself has an `occasion`.
 */
export type Activity = Readonly<
  Omit<PostedActivity, 'date' | 'value'> & {
    date: Date;
    value: number;
    lineItems: LineItem[];
    occasion?: Occasion;
  }
>;
